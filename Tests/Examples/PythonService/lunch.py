"""Orders lunch: what intentd asks of the intent OrderLunch, answered. Usage: lunch.py PORT DATABASE"""
import json, sqlite3, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MENUS = {"Luigi's Grill": ["burger", "salad"], "Luigi's Kitchen": ["pasta", "salad"], "Old Mill": ["soup"]}

def success(value):
    return {"outcome": "success", "value": value}

def resolve(asked, order, key):
    found = [name for name in MENUS if order["restaurant"].lower() in name.lower()]
    menu = [dish for name in found for dish in MENUS[name]]
    wrong = {"outcome": "unsupported", "reason": "notOnMenu"}
    outcomes = {"restaurant": success(found[0]) if len(found) == 1 else {"outcome": "disambiguation", "options": found},
                "dishes": [success(dish) if dish in menu else wrong for dish in order.get("dishes", [])],
                "time": success(order.get("time"))}
    return {"parameters": {name: outcomes[name] for name in asked["open"]}}

def confirm(asked, order, key):
    code = "ready" if order["time"] < "22:00" else "failureKitchenClosed"
    return {"code": code, "details": order, "requiresUserConfirmation": True}

def handle(asked, order, key):
    with sqlite3.connect(sys.argv[2]) as orders:  # the second time under a key, nothing is done, and the answer is the same
        orders.execute("INSERT OR IGNORE INTO orders (key, lunch) VALUES (?, ?)", (key, json.dumps(order)))
        number = orders.execute("SELECT rowid FROM orders WHERE key = ?", (key,)).fetchone()[0]
    return {"code": "success", "details": {"order": number}}

class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        calls = {"OrderLunch/resolve": resolve, "OrderLunch/confirm": confirm, "OrderLunch/handle": handle}
        try:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            call, order = calls[asked["intent"]["name"] + self.path], asked["intent"]["parameters"]
            status, answer = 200, call(asked, order, self.headers["Idempotency-Key"])
        except (LookupError, TypeError, ValueError):
            status, answer = 400, {}
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

sqlite3.connect(sys.argv[2]).execute("CREATE TABLE IF NOT EXISTS orders (key TEXT PRIMARY KEY, lunch TEXT)")
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service).serve_forever()
