"""What the agent reads: one module per prompting strategy."""
