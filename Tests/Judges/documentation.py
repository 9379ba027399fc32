"""The documentation as a person reads it: a headless Chromium on the built site, opened from files without a server.

  documentation.py --site DIRECTORY [--only WORD] [--screenshots DIRECTORY]
"""

import argparse
import json
import os
import pathlib
import re
import sys
import urllib.parse

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browsing import barriers, chromium, seen, text, too_wide
from judging import expect, run, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
JUDGES = []
# One page of each kind, and those with the longest lines, tables and names.
SAMPLES = [
    "index", "names.html?find=effect", "intentkit", "intentkit/firstintent", "intentruntime/contract", "intentruntime/design",
    "intentkit/jsonobject", "intentruntime/runtimeclock", "intentconsole/consoledesign", "intenttesting/testdeployment",
]
TUTORIALS = ["Your first intent", "Resolving with choices", "Effects", "Testing handlers", "Replaying conversations"]
LOOK = """return {
    title: document.title, heading: document.querySelector("h1")?.innerText, words: document.querySelector("main").innerText,
    ids: [...document.querySelectorAll("[id]")].map(one => one.id),
    links: [...document.links].map(one => [one.href, one.getClientRects().length > 0, one.innerText]),
    images: [...document.images].filter(one => one.naturalWidth === 0).map(one => one.src),
}"""


def judge(made):
    JUDGES.append(made)
    return made


class Reader:
    """Somebody with a browser and the site's files."""

    def __init__(self, site, screenshots):
        self.site, self.screenshots = site, screenshots
        self.browser = chromium({"browser": "ALL", "performance": "ALL"})

    def open(self, page, **how):
        """The browser at a page, which is named without its suffix, or with a query."""
        seen(self.browser, **how).get(f"{self.site.as_uri()}/{page if '?' in page else page + '.html'}")
        return self.browser

    def all(self, css, of="textContent"):
        """What is there in all these elements."""
        return self.browser.execute_script(f"return [...document.querySelectorAll('{css}')].map(one => one.{of})")

    def click(self, words, inside="main"):
        self.browser.find_element(By.CSS_SELECTOR, inside).find_element(By.LINK_TEXT, words).click()

    def complaints(self):
        """What the browser has complained of, and what it has asked for outside of the site, since the last time."""
        said = [line["message"] for line in self.browser.get_log("browser")]
        for line in self.browser.get_log("performance"):
            event = json.loads(line["message"])["message"]
            if event["method"] == "Network.requestWillBeSent":
                url = event["params"]["request"]["url"]
                if not url.startswith((self.site.as_uri() + "/", "data:")):
                    said.append(f"asked for {url}")
        return said


@judge
def every_page_opens_from_files_and_leads_on(reader):
    pages = {}
    browser = seen(reader.browser)
    for file in sorted(reader.site.rglob("*.html")):
        name = file.relative_to(reader.site).as_posix()
        browser.get(file.as_uri())
        pages[file.as_uri()] = page = browser.execute_script(LOOK)
        expect(page["heading"] and page["title"] in (page["heading"], f"{page['heading']} · intentd"), f"{name}: {page['title']}")
        expect(len(page["words"]) > len(page["heading"]) + 20, f"{name} says nothing: {page['words']}")
        expect(not page["images"], f"{name}: no picture is at {page['images']}")
        complaints = reader.complaints()
        expect(not complaints, f"{name}: {complaints}")
    expect(len(pages) > 300, f"there are {len(pages)} pages")
    links = 0
    for page in pages.values():
        for url, visible, words in page["links"]:
            target, _, anchor = url.partition("#")
            expect(target in pages, f"{page['title']}: nothing is at {url}")
            expect(not anchor or urllib.parse.unquote(anchor) in pages[target]["ids"], f"{page['title']}: {url} is nowhere")
            expect(visible and words.strip(), f"{page['title']}: nobody sees the link to {url}")
            links += 1
    print(f"  {len(pages)} pages, {links} links")


@judge
def articles_say_what_their_sources_say(reader):
    count = 0
    for file in sorted(ROOT.glob("Sources/*/*/Documentation.docc/*.md")):
        module, article = file.parts[-3].lower(), file.stem.lower()
        reader.open(module if article == "documentation" else f"{module}/{article}")
        source = file.read_text()
        listings = re.findall(r"^```(\w*)\n(.*?)\n```$", source, re.M | re.S)
        shown = reader.all("main > pre:not(.declaration)")
        expect(shown == [code for language, code in listings if language != "mermaid"], f"{file.name}: the listings differ")
        prose = re.sub(r"^```.*?^```$", "", source, flags=re.M | re.S).split("\n## Topics")[0]
        headings = [re.sub(r"[`*’']", "", one) for one in re.findall(r"^#{2,} (.+)$", prose, re.M)]
        shown = [re.sub(r"[’']", "", one) for one in reader.all("main > :is(h2, h3, h4)")]
        expect([one for one in shown if one in headings] == headings, f"{file.name}: {shown}, not {headings}")
        rows = len(re.findall(r"^\|", prose, re.M)) - len(re.findall(r"^\|[-:| ]+-[-:| ]*\|$", prose, re.M))
        shown = len(reader.all("main > .table :is(thead tr, thead + tbody tr)"))
        expect(shown == rows, f"{file.name}: {shown} rows, not {rows}")
        items = len(re.findall(r"^ *(?:-|\d+\.) ", prose, re.M))
        shown = len(reader.all("main > :is(ul, ol) li"))
        expect(shown == items, f"{file.name}: {shown} items, not {items}")
        pictures = re.findall(r"^!\[(.+)\]", prose, re.M)
        expect(reader.all("main > p img", "alt") == pictures, f"{file.name}: {pictures} are not there")
        count += 1
    expect(count > 30, f"there are {count} articles")


@judge
def pages_show_the_summaries_of_public_types(reader):
    declared = r"((?: *///.*\n)+)(?: *@.*\n)*public (?:final )?(?:struct|enum|class|protocol) (\w+)"
    for module in ("IntentKit", "IntentTesting"):
        for file in sorted(ROOT.glob(f"Sources/*/{module}/**/*.swift")):
            for comment, name in re.findall(declared, file.read_text()):
                summary = " ".join(line.strip().removeprefix("///").strip() for line in comment.splitlines()).split("  ")[0]
                summary = re.sub(r"``(?:\w+/)*(\w+)[^`]*``", r"\1", summary)
                shown = text(reader.open(f"{module.lower()}/{name.lower()}"), ".abstract")
                shown, summary = (re.sub(r"[`*’']", "", one).replace("\n", " ") for one in (shown, summary))
                expect(summary.startswith(shown) and shown, f"{name}: {shown}, not {summary}")


@judge
def the_tutorials_are_read_by_clicks_alone(reader):
    browser = reader.open("index")
    reader.click(TUTORIALS[0])
    for this, following in zip(TUTORIALS, TUTORIALS[1:] + [None]):
        expect(text(browser, "h1") == this, f"it is at {browser.current_url}, not at {this}")
        steps = [one.text for one in browser.find_elements(By.CSS_SELECTOR, "main h2") if one.text.startswith("Step ")]
        expect(len(steps) >= 3, f"{this}: {steps}")
        expect(browser.find_elements(By.CSS_SELECTOR, "pre .keyword"), f"{this}: the code has no colours")
        current = browser.find_elements(By.CSS_SELECTOR, "nav [aria-current=page]")
        expect([one.text for one in current] == [this], f"{this} is not where the contents are")
        if following:
            reader.click(following)
    reader.click("IntentHandler", "nav")
    expect(text(browser, "h1") == "IntentHandler", browser.current_url)
    reader.click("intentd", "header")
    expect(text(browser, "h1") == "intentd", browser.current_url)
    expect(not reader.complaints(), "the browser complains")


@judge
def protocols_name_the_types_that_conform(reader):
    words = text(reader.open("intentkit/parametervalue"), "#conformingTypes + p")
    for one in ("CalendarDate", "String", "Int", "Array where Element: ParameterValue"):
        expect(one in words.split(", "), f"{one} is not among {words}")


@judge
def names_are_found_while_they_are_typed(reader):
    browser = reader.open("intentkit/intent")
    browser.find_element(By.NAME, "find").send_keys("turncontext effect", Keys.ENTER)
    until(lambda: text(browser, "h1") == "All names", 10, browser.current_url)
    found = reader.all("#names li:not([hidden])")
    expect(0 < len(found) < 10 and all("effect" in one.lower() for one in found), found)
    field = browser.find_element(By.NAME, "find")
    field.clear()
    field.send_keys("jsonobject init")
    browser.find_element(By.CSS_SELECTOR, "#names li:not([hidden]) a").click()
    until(lambda: text(browser, "h1") == "JSONObject", 10, browser.current_url)
    top = browser.execute_script("return document.querySelector(':target').getBoundingClientRect().top")
    expect(0 <= top < 300, f"the member is at {top} px")
    expect(not reader.complaints(), "the browser complains")


@judge
def it_is_read_without_script(reader):
    for name in SAMPLES:
        browser = reader.open(name, script=False)
        expect(text(browser, "h1") and len(text(browser)) > 100, f"{name} is not there without script")


@judge
def axe_finds_nothing_and_nothing_runs_over(reader):
    problems = []
    for dark in (False, True):
        for width in (1440, 360):
            for name in SAMPLES:
                browser = reader.open(name, width=width, dark=dark)
                how = f"{name}, {width} px, {'dark' if dark else 'light'}"
                problems += [f"{how}: {one}" for one in barriers(browser)]
                if too_wide(browser) > 0:
                    problems.append(f"{how}: {too_wide(browser)} px too wide")
                if reader.screenshots:
                    shot = f"{re.sub('[^a-z]', '-', name)}-{width}{'-dark' if dark else ''}.png"
                    browser.save_screenshot(f"{reader.screenshots}/{shot}")
    expect(not problems, "\n".join(problems))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--site", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--screenshots", help="a directory for pictures of the pages")
    options = parser.parse_args()
    if options.screenshots:
        os.makedirs(options.screenshots, exist_ok=True)
    reader = Reader(pathlib.Path(options.site).resolve(), options.screenshots)
    try:
        passed, failed = run(JUDGES, options.only, lambda one: one(reader))
    finally:
        reader.browser.quit()
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
