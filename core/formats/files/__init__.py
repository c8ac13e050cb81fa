"""Tables, texts and matrices as files hold them, and results as tables."""
