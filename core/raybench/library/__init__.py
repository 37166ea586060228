"""What ``import raybench as rb`` gives: scenes, objects by their textbook names, light, tools and
questions, over the values of the other packages.
"""
