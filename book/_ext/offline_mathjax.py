"""Ship MathJax with the site, so that every formula renders without a network.

`sphinx-mathjax-offline` carries the whole of MathJax 3 (31 MB). A page needs the one script that
reads TeX and writes HTML, and its fonts (2 MB); only these are copied. They go beside, not into,
the theme's `_static`: scripts there would be added to every page.
"""

import shutil
from importlib.metadata import files
from pathlib import Path

PACKAGE = "sphinx-mathjax-offline"
FOLDER = "mathjax"
SCRIPT = "tex-chtml.js"
FONTS = "output/chtml/fonts/woff-v2"


def source() -> Path:
    """The folder of MathJax inside the installed package."""
    for entry in files(PACKAGE) or []:
        if entry.name == SCRIPT:
            return Path(entry.locate()).parent
    raise FileNotFoundError(f"{PACKAGE} is installed without {SCRIPT}")


def copy(app, exception):
    if exception or app.builder.format != "html":
        return
    target = Path(app.outdir) / FOLDER
    target.mkdir(exist_ok=True)
    shutil.copy2(source() / SCRIPT, target / SCRIPT)
    shutil.copytree(source() / FONTS, target / FONTS, dirs_exist_ok=True)


def setup(app):
    # A formula may come from an output alone, which Sphinx does not count as an equation.
    app.set_html_assets_policy("always")
    # Relative to the site's _static folder, hence the step up.
    app.config.mathjax_path = f"../{FOLDER}/{SCRIPT}"
    app.connect("build-finished", copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
