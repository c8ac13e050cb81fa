"""What holds of groups and labels by definition, as data that anybody can check."""
