"""The tool record, the forms that it is made from, and the check of its arguments and result."""
