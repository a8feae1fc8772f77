"""How each method's judges are asked about the texts of a check: by the method's own flows."""
