"""How soon the console's pages are there. Nothing else may run beside it: its figures are times.

  pacing.py --intentd PROGRAM [--only WORD]
"""

import json
import os
import random
import sqlite3
import statistics
import time
import urllib.parse
import urllib.request

from judging import expect, judge_with
from watched import Watched

#: How many interactions are searched.
INTERACTIONS = 1_000_000


def every_page_is_small_and_soon_there(watched):
    for name, (path, _, _) in watched.all_pages().items():
        firsts, times = [], []
        for _ in range(7):
            began = time.monotonic()
            with urllib.request.urlopen(f"http://{watched.address}{path}", timeout=20) as reply:
                page = reply.read(1)
                firsts.append(time.monotonic() - began)
                page += reply.read()
            times.append(time.monotonic() - began)
            expect(len(page) < 300_000, f"{name}: {len(page)} bytes")
            expect("default-src 'self'" in reply.headers["Content-Security-Policy"], name)
        # Insight reads the turns of 200 interactions.
        first = 1 if name == "insight" else 0.1
        expect(statistics.median(firsts) < first, f"{name}: its first byte comes after {statistics.median(firsts):.3f} s")
        # Every page is made of records, except what the topic of state says now.
        limit = 1 if name in ("vocabulary", "pauses", "insight") else 0.1
        expect(statistics.median(times) < limit, f"{name}: {statistics.median(times):.3f} s")


def a_million_interactions_are_searched_in_time(watched):
    """Every kind of filter, cold and warm, over a million interactions: 95 of 100 within 200 ms."""
    data = f"{watched.directory}/million"
    os.mkdir(data)
    with sqlite3.connect(f"{watched.data}/records.sqlite") as source, sqlite3.connect(f"{data}/records.sqlite") as copy:
        source.backup(copy)
        copy.execute("PRAGMA synchronous = OFF")
        rng = random.Random(1)
        now = int(time.time() * 1000)
        ends = [("success", "success", "nominal"), ("failure", "failure", "failed"), ("failure", "failure", "timeout"), (None, None, None)]

        def rows():
            for number in range(INTERACTIONS):
                at = now - (INTERACTIONS - number) * 80
                status, code, reason = rng.choices(ends, (80, 12, 6, 2))[0]
                yield (number % 8, 1_000_000 + number, f"interaction-{number}", f"user-{rng.randrange(50_000)}",
                       rng.choice(["BookRestaurantTable", "INSendMessageIntent", "INSendPaymentIntent"]), status, code, reason,
                       rng.choice(["resolve", "confirm", "handle"]), at, 1, at, at + 20, at + 900 if reason else None,
                       at + 900 if reason else None, 5, 2, 1 if reason else 0,
                       json.dumps({"restaurant": f"Restaurant {number % 977}", "people": number % 9, "date": "2026-12-03"}))

        copy.executemany(
            "INSERT INTO interactions_kept (partition, offset, interaction_id, user_id, intent, status, code, end_reason,"
            " phase, requested_at, is_written, opened_at, first_prompt_at, responded_at, ended_at, turns, prompts, terminal_responses, parameters)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows())
    with watched.another_console(data=data):
        queries = [
            {}, {"user": "user-77"}, {"user": "nobody"}, {"intent": "INSendPaymentIntent"}, {"intent": "NoSuchIntent"},
            {"code": "timeout"}, {"state": "open"}, {"stage": "confirm", "state": "ended"}, {"since": "1h"}, {"until": "6h"},
            {"text": "Restaurant 500"}, {"text": "interaction-12345"}, {"text": "nowhere to be found"},
            {"text": "Restaurant", "intent": "INSendMessageIntent", "code": "failed"}, {"user": "user-9", "state": "ended"},
            {"p-people": "4", "columns": "interaction,people,status"}, {"p-people": "44"}, {"status": "failure"},
        ]
        times = []
        for _ in range(7):
            for query in queries:
                path = "/interactions?" + urllib.parse.urlencode(query)
                began = time.monotonic()
                status, page, _ = watched.get(path)
                times.append((time.monotonic() - began, path))
                expect(status == 200, f"{path}: {status}")
                if query == {"intent": "INSendPaymentIntent"} and 'rel="next"' in page:
                    following = page.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
                    began = time.monotonic()
                    expect(watched.get(following)[0] == 200, following)
                    times.append((time.monotonic() - began, following))
        times.sort()
        p95 = times[int(len(times) * 0.95)]
        print(f"  {INTERACTIONS} interactions: median {times[len(times) // 2][0] * 1000:.0f} ms, 95 % {p95[0] * 1000:.0f} ms,"
              f" most {times[-1][0] * 1000:.0f} ms ({times[-1][1]})")
        expect(p95[0] < 0.2, f"95 % within {p95[0] * 1000:.0f} ms ({p95[1]})")
        for span in ("day", "month"):
            began = time.monotonic()
            expect(watched.get(f"/insight?span={span}")[0] == 200, f"/insight of a {span}")
            print(f"  insight of a {span}: {(time.monotonic() - began) * 1000:.0f} ms")


if __name__ == "__main__":
    judge_with(lambda intentd: Watched(intentd, None),
               [every_page_is_small_and_soon_there, a_million_interactions_are_searched_in_time], __doc__)
