#!/usr/bin/env python3
"""The clients for Python, Node and browsers, the programs of `init --client`, the demo page and the README, on a gateway.

    webclients.py --intentd PATH [--only NAME]

Everything runs on one `intentd up --demo-user me`, as the README starts it. The exit status is 0 when nothing failed; the
last line says how many passed.
"""

import argparse
import contextlib
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from browsing import barriers, chromium, text, texts
from judging import Program, expect, free_port, judge_with, until
from pipeline import ROOT, House

CLIENTS = ROOT / "clients"
JUDGES = []
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Test</title><pre id="log"></pre><script type="module">
import { Client } from "/intentd.js";
const log = document.getElementById("log");
try {
  const client = new Client("GATEWAY", { user: "chrome", locale: "de-DE" });
  const seen = [];
  const stop = new AbortController();
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  const over = (async () => {
    for await (const event of client.events({ onOpen: open, signal: stop.signal })) {
      seen.push(event.type);
      if (event.data.terminal) return;
    }
  })();
  await opened;
  const conversation = await client.ask("BookRestaurantTable", { restaurant: "Old Mill" });
  for await (const prompt of conversation) {
    await conversation.answer(prompt.kind === "needsValue" ? { value: { date: "2026-12-03", time: "19:30" }[prompt.parameter] } : {});
  }
  await over;
  log.textContent = `${conversation.response.code} ${seen.filter((type) => type === "prompt.issued").length} prompts`;
} catch (error) {
  log.textContent = `failed: ${error}`;
}
</script></html>"""


def judge(one):
    JUDGES.append(one)
    return one


class Pages(http.server.ThreadingHTTPServer):
    """The page and the client's module, from another origin than the gateway's."""

    daemon_threads = True

    def __init__(self):
        self.files = {"/intentd.js": ("text/javascript", (CLIENTS / "typescript/intentd.js").read_bytes())}
        super().__init__(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            type, body = self.server.files.get(self.path, ("text/plain", b""))
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass


class Deployment(House):
    """`up` as in the README, and a browser when it is asked for."""

    def __init__(self, intentd):
        super().__init__(argparse.Namespace(intentd=intentd, brokers=None, definitions=None))
        self.pages = Pages()
        self.origin = f"http://127.0.0.1:{self.pages.server_address[1]}"
        self.url = f"http://127.0.0.1:{free_port()}"
        os.environ["INTENTD_GATEWAY_ORIGINS"] = self.origin
        os.environ["INTENTD_GATEWAY_LISTEN"] = self.url.removeprefix("http://")
        up = self.start("up", "--listen", self.address, "--demo-user", "me")
        until(lambda: "Gateway on" in open(up.log).read() or up.poll() is not None, 60, "the gateway does not start")
        expect(up.poll() is None, open(up.log).read()[-2000:])
        until(self.is_ready, 60, "the gateway does not answer")
        self.environment = os.environ | {"INTENTD_GATEWAY": self.url}

    def is_ready(self):
        """Whether it has read its topics."""
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(f"{self.url}/v1/interactions", timeout=10).status == 200

    def call(self, command, cwd=ROOT, given=None, timeout=180):
        done = subprocess.run(
            command, cwd=cwd, env=self.environment, input=given, capture_output=True, text=True, timeout=timeout
        )
        expect(done.returncode == 0, f"{command} ended with {done.returncode}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout + done.stderr

    @functools.cached_property
    def browser(self):
        return chromium({"browser": "ALL"})

    def close(self):
        if "browser" in self.__dict__:
            self.browser.quit()
        self.pages.shutdown()
        super().close()


@judge
def the_python_client_passes_its_tests(house):
    said = house.call([sys.executable, "-m", "unittest", "discover", "-s", "tests"], CLIENTS / "python")
    expect("skipped" not in said, said)
    print("     " + said.strip().splitlines()[-3], flush=True)


@judge
def the_typescript_client_passes_its_tests_in_node(house):
    said = house.call(["node", "--test", "test/"], CLIENTS / "typescript")
    expect("# skipped 0" in said, said[-2000:])
    compiler = shutil.which("tsc")
    if compiler:
        options = "--noEmit --strict --target es2022 --lib es2022,dom,dom.iterable --moduleResolution node test/types.ts"
        house.call([compiler, *options.split()], CLIENTS / "typescript")
    else:
        print("     there is no tsc here: the types were not checked", flush=True)


@judge
def the_typescript_client_runs_in_a_page_of_another_origin(house):
    house.pages.files["/"] = ("text/html", PAGE.replace("GATEWAY", house.url).encode())
    house.browser.get(house.origin)
    found = until(lambda: text(house.browser, "#log"), 30, "the page says nothing")
    expect(found == "success 3 prompts", f"{found}; {house.browser.get_log('browser')}")


@judge
def the_programs_of_init_hold_a_conversation(house):
    given = "3 December\n7:30pm\nyes\n"
    folder = house.directory / "python"
    init = [house.options.intentd, "init", "BookRestaurantTable", "--package-path", str(ROOT)]
    house.call([*init, "--client", "python", "--output", str(folder)])
    house.environment["PYTHONPATH"] = str(CLIENTS / "python")
    said = house.call([sys.executable, "client.py", "restaurant=Old Mill"], folder, given)
    expect("For which day?" in said and "success" in said, said)
    folder = house.directory / "typescript"
    house.call([*init, "--client", "typescript", "--output", str(folder)])
    # What `npm install` does with a dependency on a folder.
    (folder / "node_modules").mkdir()
    (folder / "node_modules/intentd").symlink_to(CLIENTS / "typescript")
    said = house.call(["node", "client.js", "restaurant=Old Mill"], folder, given)
    expect("For which day?" in said and "success" in said, said)


@judge
def the_demo_page_holds_a_conversation(house):
    browser = house.browser
    browser.get(f"{house.url}/demo")
    until(lambda: "BookRestaurantTable" in browser.page_source or len(texts(browser, "#intent option")) > 3, 20, "no intents")
    found = barriers(browser)
    expect(not found, f"axe: {found}")
    select = Select(browser.find_element(By.ID, "intent"))
    values = [option.get_attribute("value") for option in select.options]
    select.select_by_value("BookRestaurantTable")
    browser.find_element(By.CSS_SELECTOR, "#start button").click()

    def last(word):
        return lambda: word in (texts(browser, "#talk li") or [""])[-1]

    def say(words):
        field = browser.find_element(By.ID, "said")
        field.send_keys(words)
        browser.find_element(By.CSS_SELECTOR, "#answer button").click()

    def press(title):
        found = lambda: [one for one in browser.find_elements(By.CSS_SELECTOR, "#talk button") if one.text == title]  # noqa: E731
        until(found, 10, f"no button {title}")[0].click()

    until(last("restaurant"), 20, f"no question: {texts(browser, '#talk li')}")
    press("Old Mill")
    until(last("day"), 20, f"no question for the day: {texts(browser, '#talk li')}")
    say("3 December")
    until(last("time"), 20, f"no question for the time: {texts(browser, '#talk li')}")
    say("7:30pm")
    until(last("2026-12-03"), 20, f"no confirmation: {texts(browser, '#talk li')}")
    found = barriers(browser)
    expect(not found, f"axe: {found}")
    press("Yes")
    until(last("success"), 20, f"no end: {texts(browser, '#talk li')}")
    severe = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE" and "favicon" not in entry["message"]]
    expect(not severe, severe)
    print(f"     {len(values)} intents", flush=True)


@judge
def the_demo_serves_its_apps_on_the_page_too(house):
    out = house.directory / "demo.out"
    with open(out, "w") as log:
        demo = Program(
            [house.options.intentd, "demo", "--serve"], stdout=log, stderr=log, cwd=house.directory,
            env=os.environ | {"INTENTD_GATEWAY_LISTEN": f"127.0.0.1:{free_port()}", "INTENTD_CONSOLE_LISTEN": f"127.0.0.1:{free_port()}"},
        )  # fmt: skip
    found = lambda: re.findall(r"Talk to the same apps on (http://\S+)/demo", out.read_text())  # noqa: E731
    until(lambda: found() and "Ctrl-C stops it" in out.read_text() or demo.poll() is not None, 120, "the demo does not end")
    expect(demo.poll() is None, out.read_text()[-2000:])
    for url in found():
        with urllib.request.urlopen(f"{url}/demo", timeout=10) as page:
            expect(b"demo.js" in page.read(), "the page has no script")
        until(lambda url=url: json_of(f"{url}/v1/interactions"), 30, "the gateway is not ready")
        names = [one["name"] for one in json_of(f"{url}/v1/intents")["intents"]]
        asked = json_of(f"{url}/v1/interactions", {"intent": names[0]}, {"Prefer": "wait=20"})
        expect(asked["state"] not in ("queued", "running"), f"{names[0]}: {asked}")
    tables = re.findall(r"── interactions.*?──\n(.*?)\n\n", out.read_text(), re.S)
    played = {row.split()[0] for table in tables for row in table.splitlines()[1:] if not row.startswith(("-", "─"))}
    shown = ""
    for url in re.findall(r"The console on (http://\S+) shows:", out.read_text()):
        with urllib.request.urlopen(f"{url}/interactions", timeout=10) as page:
            shown += page.read().decode()
    missing = [one for one in played if one not in shown]
    expect(len(played) > 10 and not missing, f"of {len(played)} stories the consoles do not show {missing}")
    demo.terminate()
    expect(demo.wait(60) == 0, out.read_text()[-2000:])


def json_of(url, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers})
    with contextlib.suppress(OSError), urllib.request.urlopen(asked, timeout=30) as response:
        return json.load(response)


@judge
def the_readme_s_conversation_is_as_it_says(house):
    section = (ROOT / "README.md").read_text().partition("## Over HTTP\n")[2].partition("\n## ")[0]
    expect(section, "the README has no section Over HTTP")
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    (conversation,) = [block for block in blocks if "/answers" in block]
    script = "set -euo pipefail\n" + conversation.replace("http://127.0.0.1:8080", house.url)
    said = house.call(["bash", "-c", script])
    with contextlib.suppress(ValueError):
        expect(said.count('"promptId"') >= 2, said)
    expect('"code":"success"' in said.replace(" ", "") and '"state":"ended"' in said.replace(" ", ""), said)


@judge
def the_readme_s_mcp_client_orders_a_table(house):
    section = (ROOT / "README.md").read_text().partition("## Over HTTP\n")[2].partition("\n## ")[0]
    (program,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    python = house.call(["Tests/Judges/python.sh", "agents"], timeout=600).strip()
    said = house.call([python, "-c", program.replace("http://127.0.0.1:8080", house.url)], given="12:30\nyes\n")
    expect("success" in said and "Old Mill" in said and "12:30" in said, said)


if __name__ == "__main__":
    judge_with(Deployment, JUDGES, __doc__)
