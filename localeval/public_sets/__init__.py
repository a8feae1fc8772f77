"""Public sets that carry people's labels: what lies in a folder of the user's, and how judges do on it."""
