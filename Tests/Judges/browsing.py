"""A headless Chromium, and what is looked for on any page of ours."""

import base64
import importlib.resources
import pathlib
import shutil

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By


def chromium(logs):
    """A browser that keeps these logs."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1440,1000"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", logs)
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    browser.set_script_timeout(120)
    # Without a window system nobody gives a page the window's focus, and none of its elements shows that it has the focus.
    browser.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
    return browser


def seen(browser, width=1440, dark=False, script=True):
    """The browser with that width, colours, and script or none."""
    metrics = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
    return browser


def picture(browser, path):
    """Writes a picture of the page, what is below the window included, up to 2,400 pixels."""
    height = browser.execute_script("return Math.min(document.documentElement.scrollHeight, 2400)")
    width = browser.execute_script("return innerWidth")
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))


def has_gone(error):
    """Whether the error says that the element's page has gone; Chromium has another word for it while the next one comes."""
    return isinstance(error, (NoSuchElementException, StaleElementReferenceException)) or "does not belong to the document" in str(error)


def stale(element):
    """Whether its page has gone."""
    try:
        element.is_enabled()
        return False
    except WebDriverException as error:
        if not has_gone(error):
            raise
        return True


def text(browser, css="main"):
    """The text there; nothing while a page is loading."""
    try:
        return browser.find_element(By.CSS_SELECTOR, css).text
    except WebDriverException as error:
        if not has_gone(error):
            raise
        return ""


def texts(browser, css):
    """The texts of what is there; none while a page is loading."""
    try:
        return [one.text for one in browser.find_elements(By.CSS_SELECTOR, css)]
    except WebDriverException as error:
        if not has_gone(error):
            raise
        return []


def too_wide(browser):
    """By how many pixels the page is wider than the window."""
    return browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")


def barriers(browser):
    """What axe finds on the page."""
    browser.execute_script(importlib.resources.files("selenium_axe_python").joinpath("axe-core/axe.min.js").read_text())
    found = browser.execute_async_script("axe.run().then(arguments[arguments.length - 1])")["violations"]
    return [f"{one['id']}: {[(node['html'][:160], node.get('failureSummary', '')[-120:]) for node in one['nodes'][:3]]}"
            for one in found]
