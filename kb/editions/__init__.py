"""Which rule of one release is which rule of another, over all releases."""
