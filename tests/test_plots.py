import io

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgb

from mathlib import plots


def luminance(colour):
    channels = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return np.dot([0.2126, 0.7152, 0.0722], channels)


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_style_ends_with_its_block():
    before = dict(plt.rcParams)
    with plots.style():
        assert plt.rcParams["figure.facecolor"] == plots.PANEL
    assert dict(plt.rcParams) == before


def test_writing_stands_out_from_the_panel():
    assert contrast(plots.INK, plots.PANEL) > 7


def test_lines_stand_out_from_the_panel_and_from_each_other():
    for number, colour in enumerate(plots.COLOURS):
        assert contrast(colour, plots.PANEL) > 2
        assert colour not in plots.COLOURS[:number]


def test_the_same_figure_has_the_same_bytes():
    def draw():
        with plots.style():
            figure, axes = plt.subplots()
            axes.plot([1, 3, 2])
            file = io.BytesIO()
            figure.savefig(file, format="png")
            plt.close(figure)
        return file.getvalue()

    assert draw() == draw()
