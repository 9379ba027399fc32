#!/usr/bin/env python3
"""The order in which the linker places intentd's functions: `config/functions.order`, which `config/optimized.sh` reads.

    layout.py --intentd PATH      measures the program and writes the list
    layout.py --check PATH        fails if the program has less than two thirds of the functions on the list

A turn passes through 1,400 functions, of which each process needs a few, out of 180,000 in the program. The linker
places them by source file, so that hot functions share pages and cache lines with functions that are never called. Here
`perf` samples the program (the optimized one, with its symbols) while it works on a backlog, at 500 requests/s, and on
conversations, and the functions are placed by the heuristic of Ottoni and Maher, "Optimizing Function Placement for
Large-Scale Data-Center Applications" (CGO 2017): each one behind the function that calls it most often, and the groups
by their samples per byte. Needs perf and, in the Python that runs it, confluent-kafka.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "config/functions.order"
# The functions that have this share of the samples; the rest had one or two each.
COVERED = 0.995
# A group does not grow beyond this size in bytes, nor by a function that makes it this much less dense.
LARGEST, DILUTED = 1 << 20, 8
FRAME = re.compile(r"\s+[0-9a-f]+ (.*) \((.*)\)$")


def sizes_of(program):
    """The bytes of each function that the program defines."""
    lines = subprocess.run(["nm", "-S", "--defined-only", program], capture_output=True, text=True, check=True).stdout
    fields = (line.split() for line in lines.splitlines())
    return {field[3]: max(1, int(field[1], 16)) for field in fields if len(field) == 4 and field[2] in "tTwW"}


def stacks_of(data, program, sizes):
    """The sampled stacks, innermost function first; None for a function that is not the program's."""
    script = subprocess.Popen(
        ["perf", "script", "-i", data, "--no-demangle", "-F", "ip,sym,dso"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
    stack = []
    for line in script.stdout:
        if frame := FRAME.match(line):
            name, file = frame.groups()
            stack.append(name if file == program and name in sizes else None)
        elif stack:
            yield stack
            stack = []
    if script.wait() != 0:
        sys.exit("perf script failed")


def placed(stacks, sizes):
    """The sampled functions in the order in which to place them."""
    samples, calls = collections.Counter(), collections.Counter()
    for stack in stacks:
        if stack[0]:
            samples[stack[0]] += 1
        calls.update((caller, callee) for callee, caller in zip(stack, stack[1:]) if caller and callee and caller != callee)
    hot, covered = [], 0
    for name, count in samples.most_common():
        if covered > COVERED * samples.total():
            break
        hot.append(name)
        covered += count

    callers = {}
    for (caller, callee), count in calls.items():
        callers[callee] = max(callers.get(callee, (0, "")), (count, caller))
    groups = {name: [name] for name in hot}

    def size(group):
        return sum(sizes[name] for name in group)

    def density(group):
        return sum(samples[name] for name in group) / size(group)

    for name in hot:
        count, caller = callers.get(name, (0, None))
        first, second = groups.get(caller), groups[name]
        if first is None or first is second or count < 0.1 * samples[name] or size(first + second) > LARGEST:
            continue
        if density(first + second) * DILUTED > density(first):
            first.extend(second)
            groups.update((member, first) for member in second)
    unique = {id(group): group for group in groups.values()}.values()
    return [name for group in sorted(unique, key=density, reverse=True) for name in group]


def measure(program):
    """The order for the program, from what it does under load."""
    load = f"""set -e
        Benchmarks/EqualWork/run.sh --rounds 1 --systems intentd --requests 60000 --warmup 20000 --rates 500 --intentd {program}
        {sys.executable} Benchmarks/Capacity/capacity.py --conversations 40000 --intentd {program}"""
    with tempfile.TemporaryDirectory() as directory:
        data = f"{directory}/perf.data"
        subprocess.run(
            ["perf", "record", "-q", "-g", "-e", "cpu-clock", "-F", "1999", "-o", data, "--", "bash", "-c", load],
            cwd=ROOT, check=True)
        sizes = sizes_of(program)
        names = placed(stacks_of(data, program, sizes), sizes)
    LIST.write_text("".join(f"{name}\n" for name in names))
    print(f"{len(names)} functions, {sum(sizes[name] for name in names)} bytes")


def check(program):
    """Whether the list still describes the program."""
    names, sizes = LIST.read_text().split(), sizes_of(program)
    known = sum(name in sizes for name in names)
    print(f"{program} has {known} of the {len(names)} functions in {LIST.relative_to(ROOT)}")
    if known < len(names) * 2 / 3:
        sys.exit("Run Benchmarks/Layout/layout.py --intentd PATH to write the list again")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
what = parser.add_mutually_exclusive_group(required=True)
what.add_argument("--intentd", type=pathlib.Path)
what.add_argument("--check", type=pathlib.Path)
said = parser.parse_args()
if not (said.check or said.intentd).is_file():
    parser.error(f"there is no file {said.check or said.intentd}: build it with config/optimized.sh")
if said.check:
    check(str(said.check.resolve()))
else:
    measure(str(said.intentd.resolve()))
