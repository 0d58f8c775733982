"""Values of options in layers; the last one takes precedence."""

from collections.abc import Mapping
from typing import Any, Final, Self

from msgspec import Struct, field

from sitemapaudit.config.options import ConfigError

COMMAND_LINE: Final = "command line"


class Layer(Struct, frozen=True):
    """The values from one place.

    ``name`` is the name of the place in run.json. ``shown`` precedes error messages, except about
    values that the user just typed.
    """

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    shown: str = ""


class Layers(Struct, frozen=True):
    """Values by public name, from the weakest layer to the strongest."""

    layers: tuple[Layer, ...] = ()

    @property
    def values(self) -> dict[str, Any]:
        """The values that apply."""
        return {name: value for layer in self.layers for name, value in layer.values.items()}

    @property
    def set_by(self) -> dict[str, str]:
        """The place that each value comes from."""
        return {name: layer.name for layer in self.layers for name in layer.values}

    @property
    def command_line(self) -> Mapping[str, Any]:
        """The values that the user typed."""
        typed = (each.values for each in self.layers if each.name == COMMAND_LINE)
        return next(typed, {})

    def below_command_line(self, layer: Layer) -> Self:
        """Return the layers with another layer that only the command line overrides."""
        return type(self)((*self._untyped, layer, Layer(COMMAND_LINE, self.command_line)))

    def with_typed(self, values: Mapping[str, Any]) -> Self:
        """Return the layers with these values of the command line."""
        return type(self)((*self._untyped, Layer(COMMAND_LINE, values)))

    @property
    def _untyped(self) -> tuple[Layer, ...]:
        return tuple(each for each in self.layers if each.name != COMMAND_LINE)

    def explain(self, error: ConfigError) -> ConfigError:
        """Return an error message with the place of the value, if it begins with an option."""
        name = str(error).partition(":")[0]
        shown = next((each.shown for each in reversed(self.layers) if name in each.values), "")
        return ConfigError(f"{shown}: {error}") if shown else error
