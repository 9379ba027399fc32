"""The gym's intents (`Tests/Examples/SetsAndReps`): a client that asks for them, and conversations with their results."""

import collections
import random

import history
from users import Client

EXERCISES = ["back squat", "front squat", "bench press", "overhead press", "deadlift"]


class GymClient(Client):
    """Asks for sets; the weight of each says which request it belongs to."""

    #: Few, so that faults come while requests are being answered, however slow the machine is.
    OPEN = 300
    kinds = {"set": 40, "asked": 15, "press": 5, "reps": 10, "many": 10, "best": 5, "table": 10, "nobody": 5}
    made = {kind: ("log set", 1) for kind in ("set", "asked", "press")} | {kind: ("log", 1) for kind in ("reps", "many")}
    corrections = Client.corrections | {"many": {"reps": 40}}

    @staticmethod
    def weight(subject):
        """Its own, and never far above another one, which would be a question."""
        return 100 + int(subject[1:]) / 4096

    def intent(self, kind, subject):
        if kind == "best":
            return {"name": "BestSetIntent", "parameters": {"exercise": "deadlift"}}
        if kind in ("reps", "many"):
            # Another exercise: any weight is far above that of a set without one.
            return {"name": "LogReps", "parameters": {"exercise": "back squat", "reps": 20 if kind == "reps" else 60}}
        parameters = {"exercise": "press" if kind == "press" else "deadlift", "weight": self.weight(subject)}
        if kind != "asked":
            parameters["reps"] = 5
        return {"name": "LogSetIntent", "parameters": parameters}

    def value(self, parameter, subject):
        return {"reps": 8, "exercise": "bench press", "time": "19:30"}[parameter]

    def check_store(self):
        """The store has each set that was reported as logged once, and nothing else."""
        found = sets(self.deployment.store)
        lifted = collections.Counter()
        for (user, _, _, weight), count in found.items():
            lifted[user, weight] += count
        wanted = collections.Counter()
        for subject, (user, kind) in self.sent.items():
            if kind in self.made:
                # Sets without a weight are distinguished by their users alone.
                wanted[user, self.weight(subject) if self.made[kind][0] == "log set" else 0] += self.rows(subject)
        problems = []
        for (user, weight), count in (lifted | wanted).items():
            if lifted[user, weight] != wanted[user, weight]:
                kind = "effect-missing" if lifted[user, weight] < wanted[user, weight] else "effect-stray"
                message = f"{user} has lifted {weight} kg {lifted[user, weight]} times, and received this {wanted[user, weight]} times"
                problems.append((kind, "sets", message))
        return problems


def sets(store):
    """How often each set is in the store."""
    query = "SELECT convert_from(user_id, 'UTF8') AS user_id, exercise, reps, weight FROM sets"
    rows = history.ask_server(store, query)
    return collections.Counter((row["user_id"], row["exercise"], row["reps"], row["weight"]) for row in rows)


class Lifter:
    """A user of the gym, whose conversations depend on what was logged before."""

    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(f"{seed} {name}")
        self.sets = []

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def of(self, exercise):
        return [(reps, weight) for name, reps, weight in self.sets if name == exercise]

    def exercise(self, scenario, parameters, prompts, offers):
        """Says which exercise, clearly or not; returns what it comes to."""
        exercise = self.random.choice(EXERCISES)
        how = self.random.choice(["said", "said", "said", "part", "nothing"])
        part = exercise.split()[-1]
        if how == "part" and offers and part != exercise:
            parameters["exercise"] = part
            scenario["choices"] = {"exercise": exercise}
            prompts.append("disambiguation:exercise")
        elif how == "nothing":
            scenario["answers"]["exercise"] = exercise
            prompts.append("needsValue:exercise")
        else:
            parameters["exercise"] = exercise
        return exercise

    def number(self, scenario, prompts, parameters, name, value, wrong):
        """Says a number, or says it when asked, because it is missing or wrong."""
        if self.chance(60):
            parameters[name] = value
            return
        scenario["answers"][name] = value
        if wrong is not None and self.chance(40):
            parameters[name] = wrong
            prompts.append(f"unsupported:{name}")
        else:
            prompts.append(f"needsValue:{name}")

    def question(self, scenario, prompts, final, name, instead):
        """Says yes, no, or no with another value; returns whether the set is logged."""
        prompts.append("intentConfirmation")
        how = self.random.choice(["accept", "accept", "decline", "correct"])
        answer = {"action": "accept" if how == "accept" else "decline"}
        if how == "correct":
            answer["corrections"] = {name: instead}
            final[name] = instead
        scenario["confirmations"] = [answer]
        return how != "decline"

    def log_set(self, scenario, parameters, prompts):
        final = {"exercise": self.exercise(scenario, parameters, prompts, offers=True)}
        final["reps"] = self.random.randint(1, 100)
        self.number(scenario, prompts, parameters, "reps", final["reps"], wrong=None)
        before = self.of(final["exercise"])
        if before and self.chance(25):
            final["weight"] = before[-1][1]
        else:
            final["weight"] = self.random.randint(20_000, 400_000) / 1_000
            if before:
                parameters["weight"] = final["weight"]
            else:
                self.number(scenario, prompts, parameters, "weight", final["weight"], wrong=900)
        best = max(before, key=lambda each: each[1] if each[0] == 1 else each[1] * (1 + each[0] / 30), default=None)
        if best and final["weight"] > best[1] * 1.5 and not self.question(scenario, prompts, final, "weight", best[1]):
            return "declined", "failure", None
        return "log set", "success", final

    def log_reps(self, scenario, parameters, prompts):
        final = {"exercise": self.exercise(scenario, parameters, prompts, offers=True)}
        final["reps"] = self.random.randint(1, 100)
        self.number(scenario, prompts, parameters, "reps", final["reps"], wrong=101)
        if final["reps"] > 50 and not self.question(scenario, prompts, final, "reps", 50):
            return "declined", "failure", None
        return "log", "success", final

    def best_set(self, scenario, parameters, prompts):
        exercise = self.exercise(scenario, parameters, prompts, offers=False)
        return "best", "success" if self.of(exercise) else "failureNothingLogged", {"exercise": exercise}

    def conversation(self, number):
        """The next conversation, with what has to come of it."""
        scenario = {"name": f"{self.name}-{number}", "user": self.name, "answers": {}}
        parameters, prompts = {}, []
        intent, make = self.random.choice(
            [("LogSetIntent", self.log_set)] * 3 + [("LogReps", self.log_reps)] * 2 + [("BestSetIntent", self.best_set)]
        )
        what, code, final = make(scenario, parameters, prompts)
        expect = {"prompts": prompts, "status": "success" if code == "success" else "failure", "effects": []}
        if what == "declined":
            expect["endReason"] = "declined"
        else:
            expect |= {"endReason": "nominal" if code == "success" else "failed", "code": code, "parameters": final}
        if what in ("log set", "log"):
            expect["effects"] = [what]
            self.sets.append((final["exercise"], final["reps"], final.get("weight", 0.0)))
        return scenario | {"intent": {"name": intent, "parameters": parameters}, "expect": expect}


def conversations(count, seed):
    """So many conversations, several of each user, and how often each set has to be in the store when they are over."""
    lifters = [Lifter(f"lifter-{number}", seed) for number in range(-(-count // 5))]
    scenarios = [lifters[number % len(lifters)].conversation(number // len(lifters)) for number in range(count)]
    return scenarios, collections.Counter((lifter.name, *each) for lifter in lifters for each in lifter.sets)
