"""The right groups without being asked: candidates, evidence without labels, and the choice."""
