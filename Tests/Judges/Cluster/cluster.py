"""Breaks a deployment on several hosts again and again, and runs the history checker on the result.

    cluster.sh [--requests N] [--faults N] [--seed N] [--report FILE] [--keep] [--verbose]
    cluster.sh --conversations N [--scenarios FILE --definitions FILE] [--seed N] [--keep]

Network namespaces stand for hosts: three Kafka brokers (replication 3, `min.insync.replicas` 2), PostgreSQL, two workers of
each stage and two recorders each have one, and so have the clients. The program is the example package's, `gymd`, built with
the trait PostgreSQL. Every second worker reaches the brokers through proxies. Hosts are cut off, links are slow or lose
packets, brokers do not hear each other; brokers, workers, recorders and PostgreSQL are killed, stopped and restarted;
leaders are elected; clocks of workers are set wrong; workers come and go for good; answers to commits are held back; tables
are locked. The seed determines the faults and their order.

With --conversations, generated conversations of the gym are played instead, and those of a file. Halfway one host of each
kind is cut off for half a minute. All end as the model says, and the store has each effect once.

Needs root, `nft` (Debian: nftables), PostgreSQL, a C compiler, and KAFKA_HOME. Without them it says what is missing, and
checks nothing.
"""

import argparse
import functools
import os
import pathlib
import shutil
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

import conversations  # noqa: E402
from chaos import judged, play  # noqa: E402
from gym import GymClient  # noqa: E402
from hosts import Network  # noqa: E402
from machines import Machines  # noqa: E402


def missing(options):
    """What is needed and is not there."""
    if not options.kafka:
        return "KAFKA_HOME names no Kafka"
    if not shutil.which("psql"):
        return "there is no psql: install postgresql"
    return Network.missing()


def main():
    parser = argparse.ArgumentParser(
        prog="cluster.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--intentd", required=True, help="the program: the example package's, with PostgreSQL")
    parser.add_argument("--clock", required=True, help="the library that sets clocks wrong")
    parser.add_argument("--kafka", default=os.environ.get("KAFKA_HOME"), help="a Kafka's directory (default: KAFKA_HOME)")
    parser.add_argument("--requests", type=int, default=3_000)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--pause", type=float, default=3.0, help="the longest pause after a fault, in seconds")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--report", help="a file for the report, as JSON")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    parser.add_argument("--verbose", action="store_true", help="name each fault")
    parser.add_argument("--conversations", type=int, help="how many conversations of the gym to play, instead of chaos")
    parser.add_argument("--scenarios", help="a file of scenarios to play beside them")
    parser.add_argument("--definitions", help="declared intents of those scenarios")
    options = parser.parse_args()
    if lack := missing(options):
        print(f"SKIP cluster: {lack}")
        return 0
    if options.conversations:
        print(f"cluster: {options.conversations} generated conversations, seed {options.seed}", flush=True)
        return judged("conversations", options, Machines(options), conversations.play)
    print(f"cluster: {options.requests} requests, {options.faults} faults, seed {options.seed}", flush=True)
    return judged("cluster", options, Machines(options), functools.partial(play, make_client=GymClient))


if __name__ == "__main__":
    sys.exit(main())
