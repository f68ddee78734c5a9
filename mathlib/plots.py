"""One look for all figures: Okabe-Ito colours on a light panel, readable in both colour schemes.

A figure brings its own background, so the same picture serves a light and a dark page.
"""

from contextlib import contextmanager

import matplotlib.pyplot as plt
from cycler import cycler

# Okabe and Ito's palette without black, which the axes use; yellow is too pale for lines.
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
VERMILION, PURPLE, SKY, YELLOW = "#D55E00", "#CC79A7", "#56B4E9", "#F0E442"
COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
INK, PANEL, GRID = "#22262e", "#fbfbfc", "#d9dde3"

SETTINGS = {
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlesize": 11,
    "axes.titleweight": "normal",
    "axes.labelsize": 10.5,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "font.size": 10,
    "figure.figsize": (6.4, 3.8),
    "figure.facecolor": PANEL,
    "axes.facecolor": PANEL,
    "savefig.facecolor": PANEL,
    "figure.dpi": 130,
    "savefig.dpi": 130,
    "savefig.pad_inches": 0.12,
    "figure.constrained_layout.use": True,
}


def use_style():
    """Set the book's look for all figures that follow, as a notebook does in its first cell."""
    plt.rcParams.update(SETTINGS)


@contextmanager
def style():
    """The book's look for the figures made inside a `with` block, and only there."""
    with plt.rc_context(SETTINGS):
        yield
