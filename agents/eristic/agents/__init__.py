"""Role actors, the director, the model adapter, prompts and token counting."""
