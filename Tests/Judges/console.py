"""The console in a real browser: a headless Chromium on a running deployment, judged by elements, text and axe.

  console.py --intentd PROGRAM [--only WORD] [--screenshots DIRECTORY]
"""

import argparse
import http.server
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from selenium.webdriver.common.by import By

from browsing import barriers, text, texts, too_wide
from judging import Program, expect, free_port, run, until
from keyboard import KEYBOARD
from tokens import AUDIENCE, ISSUER, Issuer
from watched import DRAWN, FLAVOURS, HOSTILE, SLOW, TRACE, Watched

ROOT = pathlib.Path(__file__).resolve().parents[2]
JUDGES = []


def judge(made):
    JUDGES.append(made)
    return made


@judge
def every_page_says_what_it_is_for(watched):
    browser = watched.browser()
    for name, (path, title, words) in watched.all_pages().items():
        watched.open(browser, path)
        expect(text(browser, "h1").startswith(title), f"{name}: the heading is {text(browser, 'h1')}")
        expect(words in browser.page_source, f"{name}: {words} is missing")
        expect(len(browser.find_elements(By.CSS_SELECTOR, "nav a[aria-current]")) >= (0 if name == "record" else 1), name)
        errors = [line["message"] for line in browser.get_log("browser") if line["level"] in ("SEVERE", "WARNING")]
        expect(not errors, f"{name}: {errors}")
        watched.shoot(browser, name)


@judge
def hostile_names_stay_names(watched):
    browser = watched.browser()
    paths = ["/interactions", "/interactions?user=" + urllib.parse.quote(HOSTILE[1]), "/interactions?text=%22%3E%3Cscript%3E",
             "/dead-letters", "/", "/find?interaction=" + urllib.parse.quote(HOSTILE[0] + "-0")]
    listing = watched.get("/interactions")[1]
    paths += [one.split('"')[0] for one in listing.split('<td class="id"><a href="')[1:40]]
    paths += [one.split('"')[0] for one in watched.get("/dead-letters")[1].split('<td class="id"><a href="')[1:]]
    shown = ""
    for path in paths:
        watched.open(browser, path)
        expect(browser.title.endswith("· intentd"), f"{path}: the title is {browser.title}")
        strange = browser.find_elements(By.CSS_SELECTOR, "main img, main script, main b, [onerror], a[href^='javascript']")
        expect(not strange, f"{path}: {[one.get_attribute('outerHTML') for one in strange]}")
        expect("\u202e" not in browser.page_source, f"{path}: text is turned")
        shown += text(browser)
    expect("<script>document.title" in shown, "the hostile names are not shown as they are")
    errors = [line["message"] for line in browser.get_log("browser") if line["level"] == "SEVERE"]
    expect(not errors, errors)


@judge
def axe_finds_nothing(watched):
    problems = []
    for dark in (False, True):
        for width in (1440, 360):
            browser = watched.browser(width, dark)
            for name, (path, _, _) in watched.all_pages().items():
                watched.open(browser, path)
                if name == "interaction":
                    for one in browser.find_elements(By.CSS_SELECTOR, ".turns summary")[:3]:
                        one.click()
                problems += [f"{name}, {width} px, {'dark' if dark else 'light'}: {one}" for one in barriers(browser)]
    expect(not problems, "\n".join(problems))


@judge
def nothing_runs_over_at_360_and_1600_pixels(watched):
    for width in (360, 1600):
        for dark in (False, True):
            browser = watched.browser(width, dark)
            for name, (path, _, _) in watched.all_pages().items():
                watched.open(browser, path)
                expect(too_wide(browser) <= 0, f"{name} is {too_wide(browser)} px wider than {width}")
                watched.shoot(browser, f"{name}-{width}{'-dark' if dark else ''}")


@judge
def it_is_read_and_used_without_script(watched):
    browser = watched.browser(script=False)
    for name, (path, title, words) in watched.all_pages().items():
        watched.open(browser, path)
        expect(text(browser, "h1").startswith(title) and words in browser.page_source, f"{name} is not there without script")
    watched.open(browser, "/interactions")
    browser.find_element(By.NAME, "user").send_keys("ada")
    browser.find_element(By.CSS_SELECTOR, "form button.main").click()
    until(lambda: set(texts(browser, "tbody td[data-label=User]")) == {"ada"}, 10, "the filter shows others than ada")
    watched.open(browser, "/interactions")
    first = texts(browser, "td.id")
    expect(len(first) == 50, f"a page has {len(first)} rows")
    browser.find_element(By.CSS_SELECTOR, "a[rel=next]").click()
    until(lambda: (second := texts(browser, "td.id")) and not set(first) & set(second), 10, "the next page repeats rows")
    watched.browser()


JUDGES += KEYBOARD


@judge
def a_locked_device_is_unlocked(watched):
    browser = watched.open(watched.browser(), "/talk?intent=INSendPaymentIntent")
    browser.find_element(By.NAME, "p-payee").send_keys("Jeff Mane")
    browser.find_element(By.NAME, "p-currencyAmount").send_keys("3 USD")
    browser.find_element(By.NAME, "locked").click()
    browser.find_element(By.CSS_SELECTOR, "form.grid2 button.main").click()
    until(lambda: browser.find_elements(By.CSS_SELECTOR, "button[value=unlock]"), 20, "it does not ask to unlock")[0].click()
    until(lambda: browser.find_elements(By.CSS_SELECTOR, "button[value=yes]"), 20, "it does not go on when unlocked")[0].click()
    until(lambda: "success" in text(browser, ".top"), 20, "it did not end with success")
    expect("was unlocked" in text(browser, ".talk"), "the page does not say that the device was unlocked")


@judge
def a_users_vocabulary_is_a_link_away(watched):
    browser = watched.open(watched.browser(), watched.place("me", "INSendPaymentIntent"))
    browser.find_element(By.LINK_TEXT, "vocabulary").click()
    until(lambda: text(browser, "h1") == "Vocabulary", 20, f"it is {browser.current_url}")
    rows = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in browser.find_elements(By.CSS_SELECTOR, "tbody tr")]
    expect(rows == [["1", "Celestra", "", ""], ["2", HOSTILE[0], "bang", HOSTILE[1]]], f"it says {rows}")
    expect("contactName" in text(browser) and "2 terms" in text(browser), text(browser))
    watched.open(browser, "/vocabulary?user=nobody-at-all")
    expect("This user has no vocabulary." in text(browser), text(browser))


@judge
def what_the_app_drew_is_shown_in_its_frame(watched):
    browser = watched.open(watched.browser(), watched.place("me", "INSendMessageIntent"))
    frame = until(lambda: browser.find_elements(By.CSS_SELECTOR, "iframe.drawn"), 20, "nothing is drawn")[-1]
    expect(frame.get_attribute("sandbox") == "", "the frame may do things")
    page = watched.get(frame.get_attribute("src").split(watched.address)[1])
    expect("sandbox" in page[2]["Content-Security-Policy"], "the view is not sandboxed by itself")
    browser.execute_script("arguments[0].scrollIntoView()", frame)
    browser.switch_to.frame(frame)
    try:
        drawn = until(lambda: browser.find_elements(By.CSS_SELECTOR, ".bubble"), 20, "the frame is empty")
        # As an app would draw it, with what the user said as text.
        expect([one.text for one in drawn] == [DRAWN], f"it says {[one.text for one in drawn]}")
        expect("Celestra" in browser.find_element(By.TAG_NAME, "h1").text, "it does not say to whom")
        expect(not browser.find_elements(By.TAG_NAME, "script"), "the message is markup")
    finally:
        browser.switch_to.default_content()
    expect(browser.title.endswith("· intentd"), f"the title is {browser.title}")
    watched.shoot(browser, "drawn")


@judge
def a_parked_turn_comes_after_the_note_that_it_was_parked(watched):
    until(lambda: "success" in watched.get(watched.place("waiter"))[1], 20, "it did not end")
    browser = watched.open(watched.browser(), watched.place("waiter"))
    outcomes = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".turns > details > summary > span:nth-of-type(2)")]
    expect(outcomes == ["passed", "passed", "parked", "ended"], f"the turns are {outcomes}")
    waits = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".lanes text[text-anchor=middle]")]
    units = {"ms": 0.001, "s": 1}
    seconds = [float(one.split()[-2]) * units[one.split()[-1]] for one in waits if one.startswith("running")]
    expect(seconds and 0.9 <= seconds[0] < 10, f"the time line says {waits}")
    watched.shoot(browser, "parked")


@judge
def each_turns_commit_is_on_a_lane_of_its_own(watched):
    browser = watched.open(watched.browser(), watched.place("me", "INSendPaymentIntent"))
    names = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".lanes .label")]
    expect(names == ["waits for", "resolve", "confirm", "handle", "commit"], f"the lanes are {names}")
    turns, commits = (browser.find_elements(By.CSS_SELECTOR, f".lanes .{name}") for name in ("turn", "commit"))
    expect(len(turns) == len(commits) > 2, f"{len(turns)} turns have {len(commits)} commits")
    at = [float(one.get_attribute("cx")) for one in turns]
    for number, (began, commit) in enumerate(zip(at, commits)):
        first, last = float(commit.get_attribute("x1")), float(commit.get_attribute("x2"))
        expect(first == began and first < last <= 720, f"the commit of turn {number + 1} goes from {first} to {last}")
        # A turn's event is only there when the turn before was committed.
        expect(number + 1 == len(at) or last < at[number + 1], f"turn {number + 2} began before turn {number + 1} was committed")


@judge
def a_trace_is_a_link_to_the_operators_tool(watched):
    browser = watched.open(watched.browser(), watched.place("unlucky"))
    link = browser.find_element(By.LINK_TEXT, TRACE)
    expect(link.get_attribute("href") == f"http://traces.example/{TRACE}", link.get_attribute("href"))
    expect(link.get_attribute("rel") == "noreferrer", "it says where one came from")
    for address in ("javascript:alert('{trace}')", "http://traces.example/"):
        done = subprocess.run([watched.intentd, "console", "--data", watched.data, "--trace-url", address],
                              cwd=ROOT, capture_output=True, text=True, timeout=60)
        expect(done.returncode == 64 and "{trace} behind its host" in done.stderr, f"{address}: {done}")


@judge
def the_overview_goes_on_by_itself(watched):
    browser = watched.open(watched.browser(), "/?span=15m")
    until(lambda: text(browser, "[data-live-state]") == "Live", 20, "it is not live")
    age = text(browser, "[data-live-age]")
    expect(re.fullmatch(r", updated \d+ s ago", age), f"its age is {age}")
    # Without the ages, which change anyway.
    figures = lambda: browser.execute_script("return [...document.querySelectorAll('.tile p')].map((one) => one.textContent).join()")
    before = figures()
    for number in range(30):
        event = {"type": "intent.requested", "subject": f"live-{number}",
                 "data": {"intent": {"name": "BookRestaurantTable", "parameters": {}}, "user": {"id": "live"}}}
        pathlib.Path(f"{watched.directory}/one.ndjson").write_text(json.dumps(event) + "\n")
        watched.call("produce", f"{watched.directory}/one.ndjson")
        if figures() != before:
            return
    until(lambda: figures() != before, 5, "the tiles did not change")


@judge
def followers_are_bounded_and_make_room_again(watched):
    def follow():
        """An open stream of events; none when there is no room."""
        try:
            return urllib.request.urlopen(f"http://{watched.address}/live/overview", timeout=10)
        except urllib.error.HTTPError as error:
            expect(error.code == 503, f"it says {error.code}")
            return None

    watched.open(watched.browser(), "/intents")
    for _ in range(40):
        expect(watched.get("/live/overview", method="HEAD")[0] in (200, 503), "HEAD is not answered")
    until(lambda: room(follow), 20, "heads that were asked for keep the room")
    streams = []
    while (stream := follow()) is not None:
        streams.append(stream)
        expect(len(streams) <= 32, "there are more than there may be")
    expect(len(streams) >= 24, f"there is room for {len(streams)} only")
    expect(watched.get("/interactions")[0] == 200, "pages wait for those who follow")
    for stream in streams:
        stream.close()
    until(lambda: room(follow), 20, "those who have gone keep the room")


def room(follow):
    """Whether there is room for one more."""
    stream = follow()
    if stream:
        stream.close()
    return stream is not None


@judge
def reduced_motion_is_honoured(watched):
    browser = watched.open(watched.browser(), "/")
    name = "return getComputedStyle(document.querySelector('.pipe .moving') || document.body).animationName"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
    expect(browser.execute_script(name) == "none", "something moves all the same")


@judge
def a_replay_and_a_verification_at_a_button(watched):
    browser = watched.open(watched.browser(), watched.place("me", "INSendPaymentIntent"))
    browser.find_element(By.XPATH, "//button[.='Replay now']").click()
    until(lambda: "turns reproduced identically" in text(browser), 30, f"the replay says: {text(browser)[:300]}")
    expect(browser.find_elements(By.CSS_SELECTOR, ".turns .pill.good"), "no turn says that it matched")
    watched.shoot(browser, "replayed")
    for kind, words in (("verify", "Verified: no discrepancies"), ("replay", "turns reproduced identically"), ("shadow", "would end as recorded")):
        watched.open(browser, "/audit")
        browser.find_element(By.CSS_SELECTOR, f"button[value={kind}]").click()
        until(lambda: words in text(browser), 60, f"{kind}: {text(browser)[:500]}")
        watched.shoot(browser, f"audit-{kind}")


@judge
def a_changed_handler_shows_what_would_end_differently(watched):
    until(lambda: watched.get("/interactions?user=thirsty&state=ended")[1].count('<td class="id">') == len(FLAVOURS), 30,
          "not all lemonades are recorded")
    # The same intents as the workers have, but two: one takes fewer flavours, one calls every answer a failure.
    changed = SLOW.replace("timeout: PT1M", "timeout: PT1M, codes: {2xx: failureClosed}") % watched.port
    options = watched.definitions("changed-", changed, "lemon, rhubarb")
    with watched.another_console(*options):
        browser = watched.open(watched.browser(), "/audit")
        browser.find_element(By.CSS_SELECTOR, "button[value=shadow]").click()
        until(lambda: browser.find_elements(By.CSS_SELECTOR, ".sankey .band"), 60, f"nothing flows: {text(browser)[:500]}")
        place = browser.current_url.split(watched.address)[1]
        bands = {one.get_attribute("textContent") for one in browser.find_elements(By.CSS_SELECTOR, ".sankey .band title")}
        expect(bands == {"1: success nominal to failureClosed failed"}, f"{bands}")
        froms, tos = (texts(browser, f".sankey text.{side}") for side in ("from", "to"))
        expect(froms == ["success nominal"] and len(tos) == 1, f"it flows from {froms} to {tos}")
        # What was never answered is no end.
        asks = "Unknown: 2 asks unsupported:flavour, which has no recorded answer"
        expect(asks in text(browser), f"{text(browser)[:1000]}")
        for width, dark in ((1440, False), (1440, True), (360, False)):
            watched.open(watched.browser(width, dark), place)
            expect(too_wide(browser) <= 0 and not barriers(browser), f"{width} px: {barriers(browser)}")
            watched.shoot(browser, f"flow-{width}{'-dark' if dark else ''}")
        # Each change names its interactions, and leads to them.
        links = {one.text: one.get_attribute("href") for one in browser.find_elements(By.CSS_SELECTOR, "main a[href*='/find']")}
        expect(set(links) == {"slow"} | {f"lemonade-{FLAVOURS.index('mint') + more}" for more in (0, 1)}, f"{links}")
        browser.find_element(By.LINK_TEXT, "slow").click()
        until(lambda: text(browser, "h1") == "WaitAMoment", 20, f"it leads to {browser.current_url}")


@judge
def dead_letters_are_asked_about_and_sent(watched):
    browser = watched.open(watched.browser(), "/dead-letters")
    browser.find_element(By.CSS_SELECTOR, "tbody input[type=checkbox]").click()
    browser.find_element(By.CSS_SELECTOR, "button[value=ask]").click()
    until(lambda: "Redrive preview" in text(browser), 20, "it does not say what would be sent")
    watched.shoot(browser, "redrive")
    watched.browser(360)
    expect(too_wide(browser) <= 0, f"what would be sent is {too_wide(browser)} px wider than 360")
    # What is sent again says as what, in the list too.
    browser = watched.open(watched.browser(), "/dead-letters")
    row = until(lambda: [one for one in browser.find_elements(By.CSS_SELECTOR, "tbody tr") if "unlucky" in one.text], 20,
                "the letter of the intent that broke is not there")[0]
    expect(row.find_element(By.CSS_SELECTOR, "[data-label='Redriven as']").text == "–", row.text)
    row.find_element(By.CSS_SELECTOR, "input[type=checkbox]").click()
    browser.find_element(By.CSS_SELECTOR, "button[value=send]").click()
    until(lambda: "redriven as broken~1" in text(browser), 20, f"it was not sent: {text(browser)[:300]}")

    def again():
        watched.open(browser, "/dead-letters")
        return browser.find_elements(By.LINK_TEXT, "broken~1")

    link = until(again, 20, "the list does not say as what it was sent again")
    watched.shoot(browser, "sent-again")
    # The interaction says why it failed, and leads to its letter, which leads back.
    browser.find_element(By.LINK_TEXT, "broken").click()
    why = until(lambda: browser.find_elements(By.CSS_SELECTOR, "section.note.bad"), 20, "it does not say why it failed")[0]
    expect("Turn failed after 1 attempt" in why.text and "broken~1" in why.text, why.text)
    watched.shoot(browser, "failed")
    why.find_element(By.CSS_SELECTOR, "a[href^='/dead-letters/']").click()
    until(lambda: text(browser, "h1").startswith("Dead letter"), 20, f"it leads to {browser.current_url}")
    browser.find_element(By.LINK_TEXT, "broken").click()
    until(lambda: text(browser, "h1") == "BreakDown", 20, f"it leads back to {browser.current_url}")
    # All that match a filter, without choosing each.
    watched.open(browser, "/dead-letters?error=handlerFailed&intent=BreakDown")
    expect(len(browser.find_elements(By.CSS_SELECTOR, "tbody input[type=checkbox]")) >= 1, text(browser))
    browser.find_element(By.CSS_SELECTOR, "input[name=all]").click()
    browser.find_element(By.CSS_SELECTOR, "button[value=ask]").click()
    until(lambda: "already redriven as broken~1" in text(browser), 20, f"it was not selected: {text(browser)[:300]}")
    expect("handlerFaild" in watched.get("/dead-letters?error=handlerFaild")[1], "a misspelt error is not named")
    watched.open(browser, "/dead-letters")
    link = browser.find_elements(By.LINK_TEXT, "broken~1")
    link[0].click()
    until(lambda: text(browser, "h1") == "BreakDown" and "broken~1" in text(browser), 20, f"it leads to {browser.current_url}")


@judge
def an_intent_is_paused_and_resumed_by_click(watched):
    name, reason = HOSTILE[0], "the press is <b>cleaned</b>"

    def sign(form, reason):
        """Says who acts and why, and presses the form's button."""
        for field, words in (("by", name), ("reason", reason)):
            form.find_element(By.NAME, field).send_keys(words)
        form.find_element(By.CSS_SELECTOR, "button[name=do]").click()

    browser = watched.open(watched.browser(), "/intents/OrderLemonade")
    browser.find_element(By.LINK_TEXT, "Pause").click()
    form = until(lambda: browser.find_elements(By.CSS_SELECTOR, "section[aria-labelledby=begin] form"), 20, "there is no form")[0]
    expect(form.find_element(By.CSS_SELECTOR, "option:checked").text == "OrderLemonade", "the intent is not selected")
    stages = form.find_elements(By.CSS_SELECTOR, "[name=stage]")
    expect([one.is_selected() for one in stages] == [True] * 3, "not all stages are selected")
    for one in stages[:2]:
        one.click()
    # Without a reason the browser does not send it.
    form.find_element(By.CSS_SELECTOR, "button[name=do]").click()
    expect(not form.find_element(By.NAME, "reason").get_property("validity")["valid"], "the reason is not required")
    sign(form, reason)

    def pauses():
        """The pauses that the page lists now."""
        watched.open(browser, "/pauses")
        return browser.find_elements(By.CSS_SELECTOR, "section[id^='pause-']")

    until(lambda: "The pause of intent:OrderLemonade is written" in text(browser), 20, f"nothing is said: {text(browser)[:300]}")
    listed = [one.text for one in until(pauses, 20, "no pause is listed")]
    expect(len(listed) == 1 and all(one in listed[0] for one in ("OrderLemonade", "handle", name, reason)), f"{listed}")
    expect("resolve" not in listed[0], f"it is paused in all stages: {listed}")
    expect(not barriers(browser), f"{barriers(browser)}")
    watched.shoot(browser, "paused")
    watched.open(watched.browser(360), "/pauses")
    expect(too_wide(browser) <= 0 and not barriers(browser), f"360 px: {too_wide(browser)} px too wide, {barriers(browser)}")
    watched.open(watched.browser(), "/")
    line = until(lambda: [one for one in texts(browser, "#reasons a[href='/pauses']") if "intent:OrderLemonade" in one], 20,
                 f"the verdict does not name it: {text(browser)[:500]}")[0]
    expect("is paused in handle" in line and name in line and reason in line, line)

    watched.open(browser, "/talk?intent=OrderLemonade")
    browser.find_element(By.NAME, "p-flavour").send_keys("lemon")
    user = browser.find_element(By.NAME, "user")
    user.clear()
    user.send_keys("patient")
    browser.find_element(By.CSS_SELECTOR, "form.grid2 button.main").click()
    note = until(lambda: [one for one in texts(browser, ".note.warn") if "is paused" in one], 20, f"it is not held: {text(browser)[:500]}")[0]
    place = "/" + browser.current_url.split("/", 3)[3]
    expect(note.startswith("Waits in handle: intent:OrderLemonade is paused") and note.endswith(f"by {name}: {reason}"), note)
    until(lambda: "paused" in text(browser, ".top"), 20, f"its status is {text(browser, '.top')}")
    watched.shoot(browser, "held")
    browser.find_element(By.CSS_SELECTOR, ".note.warn a").click()
    shown = until(lambda: browser.find_elements(By.CSS_SELECTOR, "section:target"), 20, f"it leads to {browser.current_url}")[0]
    expect(reason in shown.text, f"it leads to {shown.text}")

    sign(shown.find_element(By.TAG_NAME, "form"), "the press is clean")
    until(lambda: "The end of the pause of intent:OrderLemonade is written" in text(browser), 20, f"it says {text(browser)[:300]}")
    until(lambda: not pauses() and "Nothing is paused." in text(browser), 20, "the pause does not end")
    until(lambda: "success" in text(watched.open(browser, place), ".top"), 20, f"it does not continue: {text(browser)[:500]}")
    expect(not [one for one in texts(browser, ".note.warn") if "is paused" in one], "it still says that it is held")
    browser.find_element(By.XPATH, "//button[.='Replay now']").click()
    until(lambda: "turns reproduced identically" in text(browser), 30, f"the replay says: {text(browser)[:300]}")

    def acts():
        """What the log says about pauses, the newest first."""
        watched.open(browser, "/operators")
        rows = [[one.text for one in row.find_elements(By.TAG_NAME, "td")] for row in browser.find_elements(By.CSS_SELECTOR, "tbody tr")]
        return [(act, by, about, why) for _, by, act, _, _, about, why in rows if about == "intent:OrderLemonade"]

    expected = [("resume", f"{name} console", "intent:OrderLemonade", "the press is clean"),
                ("pause", f"{name} console", "intent:OrderLemonade", reason)]
    until(lambda: acts() == expected, 20, f"the log says {acts()}")
    expect(browser.title.endswith("· intentd"), f"the title is {browser.title}")


@judge
def a_pause_that_is_not_allowed_is_refused(watched):
    def token(path):
        return watched.get(path)[1].split('name="form" value="')[1].split('"')[0]

    def send(origin=None, **changes):
        form = {"form": token("/audit"), "do": "pause", "target": "intent:OrderLemonade", "stage": "handle", "reason": "why"}
        return watched.get("/pauses", form={**form, **changes}, origin=origin)

    expect(send(origin="http://evil.example")[0] == 403, "a form of another origin is taken")
    expect(send(form="guess")[0] == 403, "a form with a wrong secret is taken")
    for changes, words in (
        ({"target": "intent:OrderLemonad"}, "did you mean OrderLemonade?"), ({"target": "app:OrderLemonade"}, "Unknown app"),
        ({"target": f"intent:{HOSTILE[0]}"}, "Unknown intent"), ({"target": "OrderLemonade"}, "Select an intent or an app"),
        ({"stage": "record"}, "Select at least one stage"), ({"reason": ""}, "needs a reason for this act"),
        ({"reason": "x" * 1025}, "has 1 to 1024 bytes"), ({"by": "x" * 129}, "has 1 to 128 bytes"),
        ({"do": "resume"}, "is not paused"),
    ):
        status, page, _ = send(**changes)
        expect(status == 400 and "Nothing was done: " in page and words in page, f"{changes}: {status} {words}")
        expect("<script>document" not in page and "Nothing is paused." in page, f"{changes}: {page[-3000:]}")
    expect(send(do="prune")[0] == 404, "it does anything")
    # A console that only reads shows what was paused in a terminal, with who and why, and takes no form.
    watched.call("pause", "BookRestaurantTable", "--as", "ops", "--reason", "no tables")
    try:
        with watched.another_console():
            page = until(lambda: (page := watched.get("/pauses")[1]) and "no tables" in page and page, 20, "no pause is listed")
            expect("<dd>ops</dd>" in page and "resolve, confirm, handle" in page, page)
            expect('name="do"' not in page and "--allow-writes" in page, "it offers to act")
            for act in ("pause", "resume"):
                expect(send(do=act, target="intent:BookRestaurantTable")[0] == 404, f"it takes {act}")
            expect("no tables" in watched.get("/pauses")[1], "the pause is gone")
    finally:
        watched.call("resume", "BookRestaurantTable", "--reason", "tables are back")
    until(lambda: "Nothing is paused." in watched.get("/pauses")[1], 20, "the pause does not end")


class OddGateway(http.server.BaseHTTPRequestHandler):
    """Answers as the user's id says, and keeps the headers of what is posted."""

    seen = []

    def do_POST(self):
        user = self.headers["Intentd-User"]
        self.seen.append(self.headers)
        self.rfile.read(int(self.headers["Content-Length"]))
        if user == "slow":
            time.sleep(15)
        status, body = {
            "huge": (200, b'{"id":"' + b"x" * (8 << 20) + b'"}'), "page": (200, b"<script>alert(1)</script>"),
            "elsewhere": (302, b""), "busy": (503, b'{"title":"Service Unavailable","detail":"Later, <b>please</b>."}'),
        }.get(user, (400, b'{"title":"Bad Request","detail":"Not like this."}'))
        try:
            self.send_response(status)
            self.send_header("Location", "http://evil.example/")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            pass  # The console did not wait.

    def log_message(self, *words):
        pass


def said_to_talk(watched, **more):
    """The status and the text of the page when that is asked for on the page Talk."""
    page = watched.get("/talk?intent=BookRestaurantTable")[1]
    hidden = dict(re.findall('type="hidden" name="([a-z]+)" value="([^"]*)"', page))
    status, text, headers = watched.get("/talk", form={**hidden, "p-date": "<b>Friday</b>", "user": "ada", **more})
    return status, text, headers


def console_settings(watched, name, **console):
    """The options of a console with these settings."""
    file = pathlib.Path(f"{watched.directory}/{name}.json")
    file.write_text(json.dumps({"samples": True, "console": console}))
    return ["--allow-writes", "--config", str(file)]


@judge
def a_gateway_that_is_missing_or_odd_is_told_on_the_page(watched):
    with watched.another_console("--allow-writes"):
        status, page, _ = watched.get("/talk?intent=BookRestaurantTable")
        expect(status == 404 and "<code>console.gateway</code>" in page, f"without a gateway: {status}")
        page = watched.get("/intents/BookRestaurantTable")[1]
        expect("Writes allowed" in page and "/talk" not in page, "it offers to talk without a gateway")
    nowhere = f"http://127.0.0.1:{free_port()}"
    with watched.another_console(*console_settings(watched, "nowhere", gateway=nowhere)):
        status, page, _ = said_to_talk(watched)
        expect(status == 503 and f"Cannot reach the gateway at {nowhere}: " in page and "Check console.gateway." in page, f"{status}")
        browser = watched.open(watched.browser(360), "/talk?intent=BookRestaurantTable")
        browser.find_element(By.NAME, "p-restaurant").send_keys("Old Mill")
        key = browser.find_element(By.CSS_SELECTOR, "form.grid2 input[name=id]").get_attribute("value")
        browser.find_element(By.NAME, "locked").click()
        browser.find_element(By.CSS_SELECTOR, "form.grid2 button.main").click()
        until(lambda: "Cannot reach the gateway" in text(browser, "[role=alert]"), 20, f"it says {text(browser)[:300]}")
        kept = [browser.find_element(By.NAME, name).get_attribute("value") for name in ("p-restaurant", "user", "id")]
        expect(kept == ["Old Mill", "me", key], f"it keeps {kept} of {key}")
        expect(browser.find_element(By.NAME, "locked").is_selected(), "it has forgotten that the device is locked")
        expect(too_wide(browser) <= 0 and not barriers(browser), f"360 px: {too_wide(browser)} px too wide, {barriers(browser)}")
        watched.shoot(browser, "talk-nowhere")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OddGateway)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        with watched.another_console(*console_settings(watched, "odd", gateway=address)):
            for user, answer, words in (
                ("huge", 503, "more than 4194304 bytes"), ("page", 503, "answered 200. A gateway of intentd does not."),
                ("elsewhere", 503, "answered 302. A gateway"), ("busy", 503, "Later, &lt;b&gt;please&lt;/b&gt;."),
                ("ada", 400, "answered 400 Bad Request: Not like this."), ("slow", 503, "no response within"),
            ):
                began = time.monotonic()
                status, page, _ = said_to_talk(watched, user=user)
                expect(status == answer and words in page and "&lt;b&gt;Friday&lt;/b&gt;" in page, f"{user}: {status} {page[-3000:]}")
                expect(time.monotonic() - began < 14 and "<script>alert" not in page, f"{user}: {time.monotonic() - began} s")
            OddGateway.seen.clear()
            # Neither the user nor the id begins another header.
            said_to_talk(watched, user="a\r\nX-Evil: 1", id="b\r\nX-Evil: 2")
            headers = OddGateway.seen[-1]
            expect(headers["Intentd-User"] == "a%0D%0AX-Evil%3A%201" and "X-Evil" not in headers, f"{headers.items()}")
            expect(re.fullmatch("[0-9a-f-]{36}", headers["Idempotency-Key"]), headers["Idempotency-Key"])
            expect(watched.get("/talk", form={"intent": "BookRestaurantTable", "user": "ada"})[0] == 403, "a forged form is sent")
            expect(len(OddGateway.seen) == 1, "a forged form reached the gateway")
    finally:
        server.shutdown()


@judge
def a_gateway_with_keys_wants_a_token_that_may_act_for_users(watched):
    issuer = Issuer(pathlib.Path(f"{watched.directory}/jwks.json"))
    token = pathlib.Path(f"{watched.directory}/console.token")
    address = f"127.0.0.1:{free_port()}"
    settings = pathlib.Path(f"{watched.directory}/gateway.json")
    settings.write_text(json.dumps({"samples": True, "gateway": {"keys": str(issuer.file), "issuer": ISSUER, "audience": [AUDIENCE]}}))
    command = [watched.intentd, "gateway", "--data", watched.data, "--config", str(settings), "--listen", address]
    with open(f"{watched.directory}/gateway.log", "ab") as log:
        environment = {**os.environ, "INTENTD_MONITORING_LISTEN": "none"}
        process = Program(command, cwd=ROOT, stdout=log, stderr=log, env=environment)
    try:
        with watched.another_console(*console_settings(watched, "no-token", gateway=f"http://{address}")):
            until(lambda: "answered 401" in said_to_talk(watched)[1], 60, "the gateway does not answer")
            status, page, _ = said_to_talk(watched)
            expect(status == 400 and "A token is needed" in page and "Check console.gatewayToken." in page, f"{status} {page[-3000:]}")
        options = console_settings(watched, "token", gateway=f"http://{address}", gatewayToken={"file": str(token)})
        with watched.another_console(*options):
            status, page, _ = said_to_talk(watched)
            expect(status == 503 and "console.gatewayToken: " in page and "no such file" in page, f"{status} {page[-3000:]}")
            token.write_text(issuer.token("console") + "\n")
            status, page, _ = said_to_talk(watched)
            expect(status == 400 and "needs the scope intents.act-as" in page and "Check console.gatewayToken." in page, f"{status}")
            # The file is read again for each post.
            token.write_text(issuer.token("console", scope="intents.ask intents.answer intents.act-as"))
            browser = watched.open(watched.browser(), "/talk?intent=BookRestaurantTable")
            browser.find_element(By.NAME, "p-restaurant").send_keys("Old Mill")
            user = browser.find_element(By.NAME, "user")
            user.clear()
            user.send_keys("served")
            browser.find_element(By.CSS_SELECTOR, "form.grid2 button.main").click()
            field = until(lambda: browser.find_elements(By.NAME, "typed"), 20, f"nothing is asked: {text(browser)[:500]}")[0]
            place = "/" + browser.current_url.split("/", 3)[3]
            record = watched.get(place.replace("/interactions/", "/records/requests/"))[1]
            expect("/intentd/gateway" in record and "judge" in record, "the gateway or its client is not the request's source")
            token.write_text(issuer.token("console", scope="intents.ask intents.act-as"))
            field.send_keys("3 December")
            browser.find_element(By.CSS_SELECTOR, "form.composer button.main").click()
            until(lambda: "lacks the scope intents.answer" in text(browser, "[role=alert]"), 20, f"it says {text(browser)[:300]}")
            expect(browser.find_element(By.NAME, "typed").get_attribute("value") == "3 December", "what was typed is lost")
            expect(not barriers(browser), f"{barriers(browser)}")
            token.write_text(issuer.token("console", scope="intents.ask intents.answer intents.act-as"))
            browser.find_element(By.CSS_SELECTOR, "form.composer button.main").click()
            until(lambda: "At what time?" in text(browser, ".talk"), 20, f"the answer is not taken: {text(browser)[:500]}")
            browser.find_element(By.CSS_SELECTOR, "button[value=cancel]").click()
            until(lambda: not browser.find_elements(By.NAME, "typed"), 20, "it is not cancelled")
    finally:
        process.send_signal(signal.SIGTERM)
        expect(process.wait(30) == 0, "the gateway did not leave cleanly")
    watched.browser()


@judge
def nobody_else_comes_in(watched):
    for host in ("evil.example", f"evil.example:{watched.address.split(':')[1]}", "127.0.0.1.evil.example"):
        expect(watched.get("/", host=host)[0] == 421, f"{host} is answered")
    place = watched.place("me", "INSendPaymentIntent")
    for path in ("/audit", "/talk", "/dead-letters", "/waiting", "/pauses", f"{place}/say", f"{place}/act", f"{place}/replay"):
        expect(watched.get(path, form={"kind": "verify", "do": "send", "intent": "x"})[0] == 403, f"{path} takes forged forms")
    for path in (f"{place}/say?line=yes", f"{place}/replay", "/audit?kind=verify"):
        before = watched.get("/audit")[1].count("/audit/")
        watched.get(path)
        expect(watched.get("/audit")[1].count("/audit/") == before, f"GET {path} did something")
    other = f"127.0.0.1:{free_port()}"
    process = Program(
        [watched.intentd, "console", "--data", watched.data, "--listen", other.replace("127.0.0.1", "0.0.0.0")],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    try:
        line = process.stdout.readline()
        token = line.strip().split("token=")[1]
        try:
            urllib.request.urlopen(f"http://{other}/interactions", timeout=10)
            raise AssertionError("it is open without the token")
        except urllib.error.HTTPError as error:
            expect(error.code == 401, f"without a token it says {error.code}")
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        page = opener.open(f"http://{other}/sign-in?token={token}", timeout=10).read().decode()
        expect("Overview" in page, "the token does not open")
        expect("/talk" not in page, "what may not write offers to talk")
    finally:
        process.send_signal(signal.SIGTERM)
        expect(process.wait(20) == 0, "the console did not leave cleanly")


@judge
def a_bad_definition_is_told_on_every_page_and_everything_is_masked(watched):
    bad = f"{watched.directory}/bad.yaml"
    pathlib.Path(bad).write_text("name: OrderTea\nparameters:\n  - {name: leaf, type: strin}\n")
    place = watched.place("me", "INSendPaymentIntent")
    expect("Jeff" in watched.get(place)[1], "there is nothing to mask")
    with watched.another_console("--definitions", bad, "--allow-writes"):
        for path in ("/", "/interactions", place, f"{place}/turns/2", "/dead-letters", "/waiting", "/pauses", "/intents", "/audit"):
            status, page, _ = watched.get(path)
            expect(status == 200 and "bad.yaml:3" in page and "all values are masked" in page, f"{path}: {status}")
            expect("Jeff" not in page and "Read-only" in page, f"{path} shows values, or allows writes")
        expect("Replay now" not in watched.get(place)[1], "it offers to replay without handlers")
        kinds = [kind for kind in ("verify", "replay", "shadow") if f'value="{kind}"' in watched.get("/audit")[1]]
        expect(kinds == ["verify"], f"it audits {kinds}")
        expect(watched.get("/talk")[0] == 404 and watched.get("/vocabulary?user=me")[0] == 404, "it talks")
        browser = watched.open(watched.browser(360), place)
        expect(too_wide(browser) <= 0 and not barriers(browser), f"{barriers(browser)}")
        watched.shoot(browser, "bad-definition")
        replay = subprocess.run([watched.intentd, "replay", "--data", watched.data, "--definitions", bad], cwd=ROOT,
                                capture_output=True, text=True, timeout=60)
        expect(replay.returncode == 78 and "bad.yaml:3" in replay.stderr and "audit verify" in replay.stderr, f"{replay}")


@judge
def a_changed_definition_is_told_in_the_log(watched):
    watched.definitions("", SLOW % watched.port, "lemon, rhubarb, mint, orange")
    log = pathlib.Path(f"{watched.directory}/up.log")
    said = "Files have changed since they were loaded. Restart this process to load them."
    try:
        until(lambda: said in log.read_text(), 30, "nobody says that a restart is needed")
        expect("lemonade.yaml" in log.read_text().split(said)[1].splitlines()[0], "it does not say which file")
    finally:
        watched.definitions("", SLOW % watched.port, "lemon, rhubarb, mint")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--intentd", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--screenshots", help="a directory for pictures of the pages")
    options = parser.parse_args()
    if options.screenshots:
        os.makedirs(options.screenshots, exist_ok=True)
    watched = Watched(os.path.abspath(options.intentd), options.screenshots)
    try:
        passed, failed = run(JUDGES, options.only, lambda one: one(watched))
    finally:
        watched.close()
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
