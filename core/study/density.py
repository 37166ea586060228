"""The ray density of a document."""

from __future__ import annotations

from core.scene.document import Document


def with_density(document: Document, factor: float) -> Document:
    """The document with ``factor`` times the rays in both kinds of view modes."""
    settings = document.scene.settings
    return document.with_scene(
        document.scene.with_settings(
            ray_mode_density=settings.ray_mode_density * factor, image_mode_density=settings.image_mode_density * factor
        )
    )
