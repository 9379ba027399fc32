"""Breaks a deployment on several hosts again and again, and runs the history checker on the result.

    cluster.sh [--requests N] [--faults N] [--seed N] [--report FILE] [--keep] [--verbose]

Network namespaces stand for hosts: three Kafka brokers (replication 3, `min.insync.replicas` 2), two workers of each stage
and two recorders each have one, and so have the clients. Every second worker reaches the brokers through proxies. Hosts are
cut off, links are slow or lose packets, brokers do not hear each other; brokers, workers and recorders are killed and
stopped; leaders are elected; clocks of workers are set wrong; workers come and go for good; answers to commits are held
back; databases are locked. The seed determines the faults and their order.

Needs root, `nft` (Debian: nftables), a C compiler, and KAFKA_HOME. Without them it says what is missing, and checks nothing.
"""

import argparse
import os
import pathlib
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

from chaos import judged  # noqa: E402
from hosts import Network  # noqa: E402
from machines import Machines  # noqa: E402


def missing(options):
    """What is needed and is not there."""
    if not options.kafka:
        return "KAFKA_HOME names no Kafka"
    return Network.missing()


def main():
    parser = argparse.ArgumentParser(
        prog="cluster.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--clock", required=True, help="the library that sets clocks wrong")
    parser.add_argument("--kafka", default=os.environ.get("KAFKA_HOME"), help="a Kafka's directory (default: KAFKA_HOME)")
    parser.add_argument("--requests", type=int, default=3_000)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--pause", type=float, default=3.0, help="the longest pause after a fault, in seconds")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--report", help="a file for the report, as JSON")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    parser.add_argument("--verbose", action="store_true", help="name each fault")
    options = parser.parse_args()
    options.definitions = None
    if lack := missing(options):
        print(f"SKIP cluster: {lack}")
        return 0
    print(f"cluster: {options.requests} requests, {options.faults} faults, seed {options.seed}", flush=True)
    return judged("cluster", options, Machines(options))


if __name__ == "__main__":
    sys.exit(main())
