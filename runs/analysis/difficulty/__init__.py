"""What makes tasks hard."""
