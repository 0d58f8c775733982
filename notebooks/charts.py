"""Colors, formats and bar charts of the notebooks."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import MaxNLocator, NullFormatter, PercentFormatter, StrMethodFormatter

# From the palette of Okabe and Ito, which is safe for color-blind readers.
GOOD, BAD, CAUTION, UNKNOWN = "#0072B2", "#D55E00", "#E69F00", "#BBBBBB"

PERCENT = PercentFormatter(xmax=1, decimals=None)
NUMBER = StrMethodFormatter("{x:,.0f}")

plt.rcParams |= {
    "figure.figsize": (9, 4.5),
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.titlepad": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "legend.frameon": False,
    # Text of a site is drawn verbatim: a $ does not start a formula.
    "text.parse_math": False,
}
pd.set_option("display.max_colwidth", 100, "display.max_rows", 50)


def shorten(text, width=46):
    """Return an address without its scheme, and without its middle if it is too long."""
    text = str(text).removeprefix("https://").removeprefix("http://")
    if len(text) <= width:
        return text
    half = (width - 3) // 2
    return f"{text[:half]} … {text[-half:]}"


def format_log_axis(axis):
    """Label a logarithmic axis with whole numbers."""
    axis.set_major_formatter(NUMBER)
    axis.set_minor_formatter(NullFormatter())


def draw_bars(table, column, colors, title, xlabel, labels=None, share=False):
    """Draw a horizontal bar per row, the first at the top; draw nothing for an empty table."""
    if table.empty:
        print("Nothing to draw.")
        return None
    figure, axes = plt.subplots(figsize=(9, 1.2 + 0.32 * len(table)))
    # The bars are placed by position: two shortened addresses can be equal.
    axes.barh(range(len(table)), table[column].astype(float), color=colors)
    axes.set_yticks(range(len(table)), [shorten(name) for name in table.index])
    return finish_bars(axes, title, xlabel, labels, share)


def draw_intervals(parts, overall, title):
    """Draw the share of non-indexable URLs of each part, with its confidence interval."""
    places = range(len(parts))
    reach = [parts["share"] - parts["low"], parts["high"] - parts["share"]]
    figure, axes = plt.subplots(figsize=(9, 1.4 + 0.34 * len(parts)))
    axes.barh(places, parts["share"], color=[BAD if worse else UNKNOWN for worse in parts["worse"]])
    axes.errorbar(
        parts["share"],
        places,
        xerr=[side.clip(lower=0) for side in reach],
        fmt="none",
        ecolor="#333333",
        elinewidth=1,
        capsize=3,
    )
    axes.axvline(overall, color=GOOD, linewidth=1, linestyle="--")
    axes.annotate(
        f"all: {overall:.1%}",
        (overall, 1),
        (4, 2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        color=GOOD,
        fontsize=9,
    )
    for place, part in zip(places, parts.itertuples()):
        axes.annotate(
            f"{part.non_indexable:,} of {part.urls:,}",
            (part.high, place),
            (8, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            color="#555555",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    axes.set_yticks(places, [shorten(part) for part in parts.index])
    finish_bars(axes, title, "share of non-indexable URLs, with confidence interval", share=True)
    axes.set_title(title, pad=22)
    axes.set_xlim(0, min(1.0, parts["high"].max()) * 1.15)
    plt.show()


def finish_bars(axes, title, xlabel, labels=None, share=False):
    """Add a title, an axis label and value labels to a bar chart."""
    axes.invert_yaxis()
    axes.set_title(title)
    axes.set_xlabel(xlabel)
    axes.tick_params(axis="y", length=0)
    axes.margins(y=0.02)
    axes.xaxis.set_major_formatter(PERCENT if share else NUMBER)
    if not share:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if labels is not None:
        axes.bar_label(axes.containers[0], labels=labels, padding=4, color="#555555", fontsize=9)
        axes.margins(x=0.18)
    return axes
