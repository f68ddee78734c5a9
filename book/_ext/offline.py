"""Make the site need no network: its own MathJax, and no scripts that would load from elsewhere.

`sphinx-mathjax-offline` carries the whole of MathJax 3 (31 MB). A page needs the one script that
reads TeX and writes HTML, what that loads on demand (for `\\boldsymbol`, say) and the fonts; only
these are copied. They go beside, not into, the theme's `_static`: scripts there would be added to
every page. Jupyter Book also adds Thebe, which runs code on servers elsewhere; it is left out.
"""

import shutil
from importlib.metadata import files
from pathlib import Path

PACKAGE = "sphinx-mathjax-offline"
FOLDER = "mathjax"
SCRIPT = "tex-chtml.js"
PARTS = ("input/tex/extensions", "output/chtml/fonts/woff-v2")


def source() -> Path:
    """The folder of MathJax inside the installed package."""
    for entry in files(PACKAGE) or []:
        if entry.name == SCRIPT:
            return Path(entry.locate()).parent
    raise FileNotFoundError(f"{PACKAGE} is installed without {SCRIPT}")


def copy_mathjax(app, exception):
    if exception or app.builder.format != "html":
        return
    target = Path(app.outdir) / FOLDER
    target.mkdir(exist_ok=True)
    shutil.copy2(source() / SCRIPT, target / SCRIPT)
    for part in PARTS:
        shutil.copytree(source() / part, target / part, dirs_exist_ok=True)


def leave_out_thebe(app, page, template, context, doctree):
    def is_thebe(script):
        attributes = getattr(script, "attributes", {})
        return "thebe" in f"{getattr(script, 'filename', script)} {attributes.get('body')}".lower()

    context["script_files"] = [s for s in context.get("script_files", []) if not is_thebe(s)]


def setup(app):
    # A formula may come from an output alone, which Sphinx does not count as an equation.
    app.set_html_assets_policy("always")
    # Relative to the site's _static folder, hence the step up.
    app.config.mathjax_path = f"../{FOLDER}/{SCRIPT}"
    app.connect("html-page-context", leave_out_thebe, priority=900)
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
