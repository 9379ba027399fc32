"""Conversations on several hosts, one host of each kind cut off halfway: all end as the model says."""

import collections
import json
import random
import subprocess
import time

import gym
from judging import expect, until
from pipeline import ROOT, check_history, check_proof, check_records

#: For how long a host is cut off: longer than sessions (12 s), transactions (10 s), and a broker's leadership; that of
#: PostgreSQL for less than the tries of an effect take.
AWAY, LEDGER_AWAY = 30, 10


def mixed(scenarios, others, seed):
    """Both in one list, each in its own order."""
    order = [scenarios] * len(scenarios) + [others] * len(others)
    random.Random(seed).shuffle(order)
    each = {id(one): iter(one) for one in (scenarios, others)}
    return [next(each[id(one)]) for one in order]


def cut(deployment):
    """Cuts one host of each kind off, and lets them come back; returns their names."""
    chosen = [members[deployment.random.randrange(len(members))] for members in deployment.members.values()]
    chosen.append(deployment.random.choice(deployment.brokers))
    for one in [*chosen, deployment.ledger]:
        one.host.cut()
        deployment.after(LEDGER_AWAY if one is deployment.ledger else AWAY, one.host.join)
    return [one.host.name for one in [*chosen, deployment.ledger]]


def play(options, deployment):
    scenarios, sets = gym.conversations(options.conversations, options.seed)
    others = [json.loads(line) for line in open(options.scenarios)] if options.scenarios else []
    file = deployment.directory / "scenarios.jsonl"
    scenarios = mixed(scenarios, others, options.seed)
    file.write_text("".join(json.dumps(scenario) + "\n" for scenario in scenarios))
    deployment.begin()
    began = time.monotonic()
    # Users whose broker has gone write to the next one, however long it takes to find.
    player = deployment.directory / "player.yaml"
    player.write_text("kafka:\n  message.timeout.ms: 120000\n")
    words = deployment.words(
        "test", str(file), "--external-workers", "--timeout", "300", brokers=deployment.address, configuration=player
    )
    tester = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)

    def is_halfway():
        # Each look reads the whole topic.
        time.sleep(2)
        expect(tester.poll() is None, f"it ended too soon: {tester.stdout.read()[-3000:] if tester.poll() else ''}")
        return sum(deployment.terminal_responses().values()) >= len(scenarios) // 2

    try:
        until(is_halfway, 900, "halfway never came")
        at = time.monotonic() - began
        names = cut(deployment)
        said, _ = tester.communicate(timeout=1_200)
    finally:
        tester.kill()
    seconds = time.monotonic() - began
    last = said.strip().splitlines()[-1]
    print(f"     {last}; {seconds:.0f} s, after {at:.0f} s of them cut off: {', '.join(names)}", flush=True)
    expect(tester.returncode == 0, said[-5000:])
    deployment.mend()
    terminal = deployment.terminal_responses()
    expect(len(terminal) == len(scenarios), f"{len(terminal)} interactions for {len(scenarios)} scenarios")
    expect(set(terminal.values()) == {1}, "more than one terminal response")
    check_records(deployment, deployment.wait_for_recorder(120), terminal)
    deployment.leave()
    check_proof(deployment)
    check_history(deployment)
    found = gym.sets(deployment.store)
    differing = [(each, found[each], sets[each]) for each in found | sets if found[each] != sets[each]]
    expect(not differing, f"sets in the store, and as answered: {differing[:10]}")
    made = sum(sets.values())
    counted = collections.Counter(row["name"] for row in deployment.effects())
    expect(sum(counted.values()) == made, f"the ledger has {dict(counted)} for {made} sets")
    print(f"     {made} sets in the store, each once; the ledger has {dict(counted)}", flush=True)
