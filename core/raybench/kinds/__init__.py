"""The kinds of objects. A kind is defined by its dataclass and its `Row`, both in the module of its
family.
"""
