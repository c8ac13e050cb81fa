"""Random walks on a graph: where they stay, how long they take, where they can go."""
