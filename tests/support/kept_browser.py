"""One browser for many jobs: each would start its own, and end it."""

from gleaner.contracts.ports import RenderedPage, Renderer, RenderOrder


class KeptBrowser:
    """Shows pages with a renderer that stays when a job is over."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer

    def render(self, order: RenderOrder) -> RenderedPage:
        return self.renderer.render(order)

    def close(self) -> None: ...
