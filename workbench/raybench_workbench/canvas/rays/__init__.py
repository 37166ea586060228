"""The image of rays: pictures of a trace, how they are coloured, and the backdrop that shows them."""
