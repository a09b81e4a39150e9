"""What can be known without a search: the worth of patches, the cost of quilts, quick playouts. Compiled."""
