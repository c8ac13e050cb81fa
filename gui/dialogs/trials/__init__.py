"""What the dialogs of sweeps and cross-validations share."""
