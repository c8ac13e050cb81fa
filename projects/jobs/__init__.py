"""Work for the engine: scheduled, queued, followed and answered."""
