"""Whether the console is used by keyboard alone: judges for `console.py`."""

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browsing import has_gone, stale, text, texts
from judging import expect, until

# What the tab key stops at.
STOPS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']"
# A stop in words that stay the same when a page is brought up to date.
STOP = """const word = (one) => [one.tagName, one.getAttribute('href') || one.name || one.getAttribute('aria-label')
    || one.getAttribute('aria-labelledby') || one.textContent.trim().slice(0, 40), one.value || ''].join(' ');"""
# The stop that has the focus, and true if it can be seen that it has.
FOCUSED = STOP + """
const one = document.activeElement, look = getComputedStyle(one), box = one.getBoundingClientRect();
const isOutlined = look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) >= 2;
const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
return [word(one), isOutlined && isInside || `${look.outline}, from ${box.top} to ${box.bottom} of ${innerHeight}`];"""

# Counts how often the part that changes was rebuilt, and how often it was with the focus in it.
VERSIONS = """window.versions = 0;
new MutationObserver(() => versions++).observe(document.querySelector('[data-live]'), {childList: true});"""
VERSION = "return document.activeElement.closest('[data-live]') ? versions : null"


def press(browser, *keys):
    ActionChains(browser, duration=0).send_keys(*keys).perform()


def reach(browser, condition):
    """Presses Tab until the condition holds for what has the focus, which must show it."""
    for _ in range(250):
        try:
            if condition(browser.switch_to.active_element):
                word, is_shown = browser.execute_script(FOCUSED)
                expect(is_shown is True, f"nobody sees that {word} has the focus: {is_shown}")
                return
        except WebDriverException as error:
            if not has_gone(error):
                raise
        press(browser, Keys.TAB)
    raise AssertionError(f"it cannot be reached by Tab at {browser.current_url}")


def reach_text(browser, tag, words):
    """Presses Tab until an element of that name and text has the focus."""
    reach(browser, lambda one: one.tag_name == tag and one.text == words)


def the_tab_key_stops_everywhere_in_order_and_shows_it(watched):
    for width in (1440, 360):
        browser = watched.browser(width)
        for name, (path, _, _) in watched.all_pages().items():
            # The verdict of the overview gets and loses links while it is walked through: then it is done once more.
            for _ in range(5):
                stops, problem = walk_through(watched, browser, name, path)
                if problem is None or name != "overview" or stops_of(browser) == stops:
                    break
            expect(problem is None, f"{name}, {width} px: {problem}")


def stops_of(browser):
    """What the tab key is to stop at, in order."""
    return browser.execute_script(
        STOP + "return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility()).map(word)", STOPS)


def walk_through(watched, browser, name, path):
    """Opens a page and presses the tab key for each stop; returns the stops, and what was wrong, or None."""
    watched.open(browser, path)
    if name == "overview":
        until(lambda: text(browser, "[data-live-state]") == "Live", 20, "it is not live")
        browser.execute_script(VERSIONS)
    stops = stops_of(browser)
    expect(len(stops) > 6, f"{name}: {stops}")
    for number, stop in enumerate(stops):
        press(browser, Keys.TAB)
        if name == "overview":
            came = browser.execute_script(VERSION)
            # To be brought up to date must not take the focus away.
            until(lambda: came is None or browser.execute_script("return versions") > came, 10, "it is not brought up to date")
        word, is_shown = browser.execute_script(FOCUSED)
        if word != stop:
            return stops, f"stop {number + 1} is {word}, not {stop}"
        if is_shown is not True:
            return stops, f"nobody sees that {word} has the focus: {is_shown}"
    return stops, None


def pages_are_used_by_keyboard_alone(watched):
    browser = watched.open(watched.browser(), "/")
    press(browser, Keys.TAB, Keys.ENTER, Keys.TAB)
    expect(browser.execute_script("return document.querySelector('main').contains(document.activeElement)"),
           "the first stop does not skip to the page")

    def go(tag, words, title):
        reach_text(browser, tag, words)
        press(browser, Keys.ENTER)
        until(lambda: text(browser, "h1").startswith(title), 20, f"{words} leads to {browser.current_url}")

    watched.open(browser, "/")
    go("a", "Interactions", "Interactions")
    press(browser, "/")
    expect(browser.switch_to.active_element.get_attribute("name") == "text", "/ does not go to the search")
    reach(browser, lambda one: one.get_attribute("name") == "user")
    press(browser, "me", Keys.ENTER)
    until(lambda: set(texts(browser, "tbody td[data-label=User]")) == {"me"}, 20, "the filter shows others than me")
    reach(browser, lambda one: "/interactions/" in (one.get_attribute("href") or ""))
    press(browser, Keys.ENTER)
    until(lambda: texts(browser, ".turns summary"), 20, f"the interaction is not there: {browser.current_url}")
    reach(browser, lambda one: one.tag_name == "summary")
    press(browser, Keys.ENTER)
    until(lambda: browser.find_elements(By.CSS_SELECTOR, ".turns details[open]"), 5, "a turn does not open")
    go("a", "State at this turn", "State at turn 1")
    browser.back()
    until(lambda: texts(browser, ".turns summary"), 20, "it does not go back")
    reach_text(browser, "button", "Replay now")
    press(browser, Keys.SPACE)
    until(lambda: "turns reproduced identically" in text(browser), 30, "it is not replayed")
    go("a", "Dead letters", "Dead letters")
    reach(browser, lambda one: one.get_attribute("type") == "checkbox")
    press(browser, Keys.SPACE)
    reach_text(browser, "button", "Preview redrive")
    press(browser, Keys.ENTER)
    until(lambda: "Redrive preview" in text(browser), 20, "it does not say what would be sent")
    go("a", "Audit", "Audit")
    reach(browser, lambda one: one.get_attribute("value") == "verify")
    press(browser, Keys.ENTER)
    until(lambda: "Verified: no discrepancies" in text(browser), 60, "nothing is verified")
    go("a", "Intents", "Intents")
    reach(browser, lambda one: (one.get_attribute("href") or "").endswith("/intents/BookRestaurantTable"))
    press(browser, Keys.ENTER)
    until(lambda: text(browser, "h1") == "BookRestaurantTable", 20, "the intent is not there")
    go("a", "Start a conversation", "Talk")
    reach(browser, lambda one: one.tag_name == "select" and one.get_attribute("name") == "intent")
    press(browser, "INStartCall", Keys.TAB, Keys.ENTER)
    until(lambda: "INStartCallIntent" in texts(browser, "h2"), 20, f"the intent is not chosen: {texts(browser, 'h2')}")


def a_conversation_by_keyboard_alone(watched):
    browser = watched.open(watched.browser(), "/talk?intent=BookRestaurantTable")
    reach(browser, lambda one: one.get_attribute("name") == "p-restaurant")
    press(browser, "Old Mill")
    reach(browser, lambda one: one.get_attribute("name") == "user")
    browser.switch_to.active_element.send_keys(Keys.CONTROL, "a")
    press(browser, "keyboard")
    reach_text(browser, "button", "Ask")
    press(browser, Keys.ENTER)
    until(lambda: browser.current_url.split("/")[-3:-2] == ["interactions"], 20, f"it is still at {browser.current_url}")
    for said in ("3 December", "7:30pm"):
        field = until(lambda: browser.find_elements(By.NAME, "typed"), 20, "nothing can be said")[0]
        reach(browser, lambda one: one.get_attribute("name") == "typed")
        press(browser, said, Keys.ENTER)
        until(lambda: stale(field), 20, "the page did not go on")
    until(lambda: "shall I go on" in text(browser), 20, "it does not ask for a yes")
    watched.shoot(browser, "talk-confirm")
    reach(browser, lambda one: one.tag_name == "button" and one.get_attribute("value") == "yes")
    press(browser, Keys.ENTER)
    until(lambda: "success" in text(browser, ".top"), 20, "it did not end with success")
    said = text(browser, ".talk")
    for words in ("BookRestaurantTable", "2026-12-03", "19:30", "Yes."):
        expect(words in said, f"{words} is not in the conversation: {said}")


def an_intent_is_paused_and_resumed_by_keyboard_alone(watched):
    browser = watched.open(watched.browser(), "/intents/BookRestaurantTable")
    reach_text(browser, "a", "Pause")
    press(browser, Keys.ENTER)
    until(lambda: text(browser, "h1") == "Pauses", 20, f"it is still at {browser.current_url}")
    reach(browser, lambda one: one.get_attribute("value") == "resolve")
    press(browser, Keys.SPACE)
    # The first form of the page resumes what is paused, as soon as there is such a thing.
    for button, words, count in (("Pause", "no tables", 1), ("Resume", "tables are back", 0)):
        reach(browser, lambda one: one.get_attribute("name") == "reason")
        press(browser, words)
        reach_text(browser, "button", button)
        press(browser, Keys.ENTER)
        until(lambda: " is written. " in text(browser), 20, f"{button} does nothing: {text(browser)[:300]}")
        until(lambda: len(texts(watched.open(browser, "/pauses"), "section[id^='pause-']")) == count
              and "Pause an intent or an app" in text(browser), 20, f"{button} has no effect")


KEYBOARD = [
    the_tab_key_stops_everywhere_in_order_and_shows_it, pages_are_used_by_keyboard_alone, a_conversation_by_keyboard_alone,
    an_intent_is_paused_and_resumed_by_keyboard_alone,
]
