"""Pictures of curved data: placing items by their neighbours, along paths and by distances."""
