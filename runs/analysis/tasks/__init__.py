"""What tasks say of agents."""
