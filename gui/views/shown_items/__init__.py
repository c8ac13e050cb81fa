"""What several views show of the items: results, colours, columns, places, live runs."""
