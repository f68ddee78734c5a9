"""Every page of the built book, in a real browser with the network cut.

The book must have been built (`make book`). The browser is Chromium or Chrome: the one that the
environment variable CHROMIUM names, or the first that is found.
"""

import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parent.parent
SITE = ROOT / "_build" / "html"
PAGES = sorted(p for p in SITE.rglob("*.html") if "_static" not in p.parts)
ANCHORS = ROOT / "tests" / "anchors.txt"
CLAIM = re.compile(r"[qtcb]\d+[a-z]?")
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-sandbox",  # the pages are our own, and root has no sandbox
)
HOW = (
    "Chromium was not found. Install it (Debian and Ubuntu: apt-get install chromium; macOS: "
    "brew install --cask chromium) or name it in the environment variable CHROMIUM."
)


def name(page):
    return page.relative_to(SITE).as_posix()


def browser_path():
    """Where Chromium is; fails or skips with advice where it is not."""
    names = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "chrome")
    mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    for candidate in filter(None, (*names, mac)):
        if path := shutil.which(candidate):
            return path
    if os.environ.get("CI"):
        pytest.fail(HOW)
    pytest.skip(HOW)


def test_the_book_is_built():
    assert SITE / "index.html" in PAGES, "the book is not built: run `make book`"


# What stands in the pages


class Page(HTMLParser):
    """The anchors and the addresses of one page."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors |= {attrs[key] for key in ("id", "name") if attrs.get(key)}
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        elif attrs.get("src"):
            self.loads.append(attrs["src"])
        elif tag == "link" and attrs.get("rel") not in ("canonical", "author", "license"):
            self.loads.append(attrs.get("href", ""))


@pytest.fixture(scope="module")
def parsed():
    return {page: Page(page) for page in PAGES}


def broken(page, address, parsed):
    """Why a link of a page leads nowhere; None where it does."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return f"{address}: no such file"
    fragment = unquote(parts.fragment)
    if fragment and target in parsed and fragment not in parsed[target].anchors:
        return f"{address}: no such anchor"
    return None


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_and_anchors_resolve(page, parsed):
    links = parsed[page].links + parsed[page].loads
    assert [why for link in links if (why := broken(page, link, parsed))] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_names_no_other_host_to_load_from(page, parsed):
    outside = [src for src in parsed[page].loads if urlsplit(src).netloc]
    assert outside == []


def test_anchors_ever_published_are_still_there(parsed):
    listed = [line for line in ANCHORS.read_text().splitlines() if line]
    here = {f"{name(page)}#{anchor}" for page in PAGES for anchor in parsed[page].anchors}
    assert [anchor for anchor in listed if anchor not in here] == []


def test_anchors_of_all_claims_are_listed(parsed):
    claims = sorted(
        f"{name(page)}#{anchor}"
        for page in PAGES
        for anchor in parsed[page].anchors
        if CLAIM.fullmatch(anchor)
    )
    listed = ANCHORS.read_text().splitlines()
    missing = [anchor for anchor in claims if anchor not in listed]
    assert missing == [], "add them to tests/anchors.txt, for good"


# What a browser makes of them


@pytest.fixture(scope="module")
def context():
    path = browser_path()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        context = browser.new_context(viewport=PHONE, offline=True)
        yield context
        browser.close()


@pytest.fixture
def tab(context):
    """A new tab and the list of everything in it that went wrong."""
    tab, wrong = context.new_page(), []
    tab.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    tab.on("requestfailed", lambda request: wrong.append(f"not loaded: {request.url}"))
    tab.on(
        "console",
        lambda line: wrong.append(f"{line.type}: {line.text}") if line.type == "error" else None,
    )
    tab.on(
        "request",
        lambda request: (
            wrong.append(f"asked another host: {request.url}")
            if not request.url.startswith(("file:", "data:", "blob:"))
            else None
        ),
    )
    yield tab, wrong
    tab.close()


# TeX that is left as text, and formulas that were not set or were set as an error.
UNRENDERED = r"""
async () => {
  if (window.MathJax && MathJax.startup) await MathJax.startup.promise;
  await document.fonts.ready;
  const wrong = [];
  for (const e of document.querySelectorAll('[data-mjx-error]'))
    wrong.push('error: ' + e.getAttribute('data-mjx-error'));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const tex = /\$\$|\\\(|\\\[|\\begin\{|\\[a-zA-Z]+\{|\{(eq|ref|cite|prf:ref|doc)\}`/;
  while (walk.nextNode()) {
    const {data, parentElement} = walk.currentNode;
    if (parentElement.closest('script, style, pre, code, textarea, noscript, mjx-container'))
      continue;
    if (tex.test(data)) wrong.push('left as text: ' + data.trim().slice(0, 80));
  }
  return wrong;
}
"""

# By how many pixels the page is wider than the window; what scrolls in its own box is no matter.
WIDTH = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

# Text that stands out too little from its background, by the 4.5 to 1 of WCAG's level AA.
CONTRAST = r"""
() => {
  const numbers = colour => colour.match(/[\d.]+/g).map(Number);
  const linear = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const colour = numbers(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] > .5) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const e of document.querySelectorAll('.bd-article p, .bd-article td, [class^="claim"]')) {
    if (!e.textContent.trim()) continue;
    const pair = [light(numbers(getComputedStyle(e).color)), light(behind(e))];
    const ratio = (Math.max(...pair) + .05) / (Math.min(...pair) + .05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)}: ${e.textContent.trim().slice(0, 40)}`);
  }
  return poor;
}
"""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_page_in_the_browser(page, tab):
    tab, wrong = tab
    tab.set_viewport_size(PHONE)
    tab.goto(page.as_uri(), wait_until="load")
    wrong += tab.evaluate(UNRENDERED)
    for size in (PHONE, DESK):
        tab.set_viewport_size(size)
        for scheme in ("light", "dark"):
            tab.emulate_media(color_scheme=scheme)
            here = f"{size['width']} px, {scheme}"
            tab.wait_for_function(f"document.documentElement.dataset.theme == '{scheme}'")
            if (wider := tab.evaluate(WIDTH)) > 0:
                wrong.append(f"{here}: the page is {wider} px too wide")
            wrong += [f"{here}: contrast {poor}" for poor in tab.evaluate(CONTRAST)]
    assert wrong == []


def test_formulas_are_set_at_all(context):
    """The checks above pass on a page without MathJax and without formulas: this one does not."""
    tab = context.new_page()
    tab.goto((SITE / "notation.html").as_uri(), wait_until="load")
    assert tab.evaluate(UNRENDERED) == []
    assert tab.locator("mjx-container").count() > 30
    tab.close()


def test_the_checks_see_a_broken_page(context, tmp_path):
    source = (SITE / "notation.html").read_text(encoding="utf-8")
    base = f'<base href="{SITE.as_uri()}/">'
    formula = r'$$x$$ and <span class="math">\(\nosuchmacro\)</span>'
    bad = f'<p style="width:3000px; color:#ccc; background:#fff">{formula}</p>'
    page = tmp_path / "broken.html"
    page.write_text(
        source.replace("<head>", f"<head>{base}", 1).replace("</section>", f"{bad}</section>", 1),
        encoding="utf-8",
    )
    tab = context.new_page()
    tab.set_viewport_size(PHONE)
    tab.goto(page.as_uri(), wait_until="load")
    found = " ".join(tab.evaluate(UNRENDERED))
    assert "left as text: $$x$$" in found
    assert "Undefined control sequence" in found
    assert tab.evaluate(WIDTH) > 2000
    assert "1.61: $$x$$" in tab.evaluate(CONTRAST)[0]
    tab.close()
