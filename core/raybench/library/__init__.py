"""The public names of ``import raybench as rb``: scenes, objects under their textbook names, light,
tools and questions. They use the values of the other packages.
"""
