"""Books appointments at the vet: the service of BookVetAppointment. Usage: vet.py PORT DATABASE"""
import json, sqlite3, sys
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from zoneinfo import ZoneInfo

PETS = {"p-1": ("Bello", "Dachshund"), "p-2": ("Bello", "Poodle"), "p-3": ("Minka", "Tabby cat")}  # Zoe has none
SERVICES = {"checkup": ("Checkup", "Vorsorge", 42), "vaccination": ("Vaccination", "Impfung", 35),
            "dentalCleaning": ("Dental cleaning", "Zahnreinigung", 95)}

def words(asked, english, german):
    return german if asked["locale"].startswith("de") else english

def at_nine(day, zone):
    return day.astimezone(zone).replace(hour=9, minute=0, second=0, microsecond=0)

def times(day):  # the half hours from nine to five, on the practice's clocks
    nine = at_nine(day, ZoneInfo("Europe/Berlin"))
    return [nine + timedelta(minutes=30 * number) for number in range(16)]

def free(day):
    with sqlite3.connect(sys.argv[2]) as book:
        taken = {start for (start,) in book.execute("SELECT start FROM appointments")}
    return [time for time in times(day) if time.timestamp() not in taken]

def doctor(time):
    return ["Dr. Marx", "Dr. Lee"][times(time).index(time) % 2]

def success(value):
    return {"outcome": "success", "value": value}

def service(asked, said):
    return success(said)

def pet(asked, said):
    if asked["user"]["id"] == "zoe":
        activity = {"title": words(asked, "Add a pet", "Tier anlegen"), "userInfo": {"screen": "pets"}}
        return {"outcome": "ending", "code": "failureNoPets", "userActivity": activity}
    meant = [key for key, (name, _) in PETS.items() if said in (None, key) or name.lower() == said.lower()]
    options = [{"value": key, "title": PETS[key][0], "subtitle": PETS[key][1]} for key in meant or PETS]
    return success(meant[0]) if len(meant) == 1 else {"outcome": "disambiguation", "options": options}

def symptoms(asked, said):
    emergency = {"outcome": "ending", "code": "failureEmergency",
                 "dialog": words(asked, "Call us right now.", "Bitte sofort anrufen."),
                 "userActivity": {"title": "+49 30 5550100", "userInfo": {"screen": "call"}}}
    outcomes = [emergency if symptom == "breathless" else success(symptom) for symptom in said or []]
    return outcomes or {"outcome": "notRequired"}

def time(asked, said):
    start, now = datetime.fromisoformat(said), datetime.fromisoformat(asked["time"])
    if start <= now:
        refusal = ("past", "That is over.", "Das ist vorbei.")
    elif start >= now + timedelta(days=60):
        refusal = ("tooFarAhead", "60 days ahead at most.", "Höchstens 60 Tage im Voraus.")
    elif start not in times(start):
        refusal = ("closed", "On the half hour from 9 to 5.", "Zu jeder halben Stunde von 9 bis 17 Uhr.")
    else:
        return success(said)
    dialog = words(asked, refusal[1] + " When else?", refusal[2] + " Wann sonst?")
    return {"outcome": "unsupported", "reason": refusal[0], "dialog": dialog}

def resolve(asked, said, key):
    resolvers = {"service": service, "pet": pet, "symptoms": symptoms, "time": time}
    return {"parameters": {name: resolvers[name](asked, said.get(name)) for name in asked["open"]}}

def ask_for_another_time(asked, taken):
    zone = ZoneInfo(asked["timeZone"])
    next_ones = [(time.astimezone(zone), doctor(time)) for time in free(taken) if time > taken][:3]
    options = [{"value": time.isoformat(), "title": f"{time:%H:%M}", "subtitle": name} for time, name in next_ones]
    if options:
        dialog = words(asked, "That is taken. Which of these?", "Das ist vergeben. Was davon?")
    else:
        dialog = words(asked, "That day is full. When else?", "Der Tag ist voll. Wann sonst?")
    return {"code": "failure",
            "ask": {"parameter": "time", "outcome": "disambiguation", "options": options, "dialog": dialog}}

def confirm(asked, said, key):
    start = datetime.fromisoformat(said["time"])
    if start not in free(start):
        return ask_for_another_time(asked, start)
    local, (name, _) = start.astimezone(ZoneInfo(asked["timeZone"])), PETS[said["pet"]]
    english, german, price = SERVICES[said["service"]]
    day, clock, vet = f"{local:%Y-%m-%d}", f"{local:%H:%M}", doctor(start)
    dialog = words(asked, f"{english} for {name} on {day} at {clock} with {vet}, {price} EUR?",
                   f"{german} für {name} am {day} um {clock} bei {vet}, {price} EUR?")
    details = {"doctor": vet, "price": price, "currency": "EUR"}
    return {"code": "ready", "details": details, "dialog": dialog, "requiresUserConfirmation": True}

def handle(asked, said, key):
    start, (name, _) = datetime.fromisoformat(said["time"]), PETS[said["pet"]]
    question = {"name": "how it went", "intent": "AskHowItWent", "parameters": {"pet": name},
                "at": at_nine(start + timedelta(days=1), ZoneInfo(asked["timeZone"])).isoformat(),
                "dialog": words(asked, f"About {name} at the vet:", f"Zu {name} beim Tierarzt:")}
    activity = {"title": words(asked, "Your appointment", "Ihr Termin"), "userInfo": {"appointment": key}}
    answer = {"code": "success", "dialog": words(asked, "See you then.", "Bis dann."), "userActivity": activity,
              "details": {"appointment": key}, "start": [question]}
    with sqlite3.connect(sys.argv[2]) as book:
        try:
            book.execute("INSERT INTO appointments (start, key, answer) VALUES (?, ?, ?)",
                         (int(start.timestamp()), key, json.dumps(answer)))
            return answer
        except sqlite3.IntegrityError:  # the same call once more, or somebody else's appointment
            done = book.execute("SELECT answer FROM appointments WHERE key = ?", (key,)).fetchone()
    return json.loads(done[0]) if done else ask_for_another_time(asked, start)

def undo(asked, said, key):
    if datetime.fromisoformat(said["time"]) <= datetime.fromisoformat(asked["time"]):
        dialog = words(asked, "The appointment is over.", "Der Termin ist vorbei.")
        return {"code": "failureUndoRefused", "dialog": dialog}
    with sqlite3.connect(sys.argv[2]) as book:  # the second time, there is nothing to delete
        book.execute("DELETE FROM appointments WHERE key = ?", (asked["result"]["details"]["appointment"],))
    return {"code": "success"}

CALLS = {"/resolve": resolve, "/confirm": confirm, "/handle": handle, "/undo": undo}

class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if asked["intent"]["name"] != "BookVetAppointment":
                raise LookupError
            call, said = CALLS[self.path], asked["intent"]["parameters"]
            status, answer = 200, call(asked, said, self.headers["Idempotency-Key"])
        except (LookupError, TypeError, ValueError):
            status, answer = 400, {}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

if __name__ == "__main__":
    sqlite3.connect(sys.argv[2]).execute(
        "CREATE TABLE IF NOT EXISTS appointments (start INTEGER PRIMARY KEY, key TEXT UNIQUE, answer TEXT)")
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service).serve_forever()
