#!/usr/bin/env python3
"""Medians of bench.py's measurements, and their ratios to the limit, `c-equal`: ratios.py RESULTS [YARDSTICK]

Ratios of one run can be compared with those of another machine; the figures themselves cannot."""
import json
import statistics
import sys


def figures(lines):
    """The values of each figure by (figure, system), in the order of the measurements."""
    values = {}

    def add(figure, system, value):
        if value is not None:
            values.setdefault((figure, system), []).append(value)

    for line in lines:
        system, kind = line["system"], line["kind"]
        if kind not in ("drain", "rate"):
            continue
        cpu = line["cpu_per_100k"]
        stages = sum(v for name, v in cpu.items() if name not in ("record", "broker"))
        if kind == "drain":
            add("drain, answered/s", system, line["events_per_s"])
            add("drain, recorded/s", system, line.get("recorded_per_s"))
            add("drain, processor s per 100,000: stages", system, stages)
            add("drain, processor s per 100,000: recorder", system, cpu.get("record"))
            add("drain, processor s per 100,000: broker", system, cpu.get("broker"))
        else:
            rate = f"{line['rate']:.0f}/s"
            add(f"{rate}, p50 ms", system, line["latency_ms_p50"])
            add(f"{rate}, p99 ms", system, line["latency_ms_p99"])
            add(f"{rate}, processor s per 100,000: broker", system, cpu.get("broker"))
        add("missing or twice", system, line["missing"] + line["duplicates"])
    return values


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    yardstick = sys.argv[2] if len(sys.argv) == 3 else "c-equal"
    with open(sys.argv[1]) as file:
        values = figures([json.loads(line) for line in file])
    systems = sorted({system for _, system in values}, key=lambda s: (s == yardstick, s))
    if yardstick not in systems:
        return print(f"No ratios: {sys.argv[1]} has no measurement of {yardstick}, only of {', '.join(systems)}")
    print("| | " + " | ".join(f"{s} | ratio" if s != yardstick else s for s in systems) + " |")
    print("|---|" + "--:|" * (2 * len(systems) - 1))
    for figure in dict.fromkeys(figure for figure, _ in values):
        limit = values.get((figure, yardstick))
        cells = []
        for system in systems:
            mine = values.get((figure, system))
            cells.append("–" if not mine else f"{statistics.median(mine):,.1f}")
            if system != yardstick:
                base = statistics.median(limit) if limit else 0
                cells.append("–" if not mine or not base else f"{statistics.median(mine) / base:.2f}")
        print(f"| {figure} | " + " | ".join(cells) + " |")


main()
