"""What people see of a run: pure rows (`view`), and the terminal."""
