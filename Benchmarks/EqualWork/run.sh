#!/usr/bin/env bash
# intentd beside yardsticks that write the same records with the same guarantees, and the ratios between them.
#
#   Benchmarks/EqualWork/run.sh [--rounds N] [--requests N] [--warmup N] [--rates R,R,…] [--brokers HOST:PORT --broker-pid PID]
#                               [--streams | --systems NAME,NAME,…] [--intentd FILE] [--append]
#
# Without --brokers an embedded broker is started. --streams adds Kafka Streams, with KAFKA_HOME as the directory of an
# Apache Kafka; --systems takes those of systems/ instead. --intentd names a program, or one is built (optimized.sh).
# Results are kept in results.ndjson, --append adds to those that are there.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)

rounds=5 requests=100000 warmup=60000 rates=500,2000 brokers="" broker_pid=0 names=intentd,c-equal intentd="" append=false
while [ $# -gt 0 ]; do
    case $1 in
    --rounds) rounds=$2; shift ;;
    --requests) requests=$2; shift ;;
    --warmup) warmup=$2; shift ;;
    --rates) rates=$2; shift ;;
    --brokers) brokers=$2; shift ;;
    --broker-pid) broker_pid=$2; shift ;;
    --streams) names=intentd,c-equal,streams-equal-100 ;;
    --systems) names=$2; shift ;;
    --intentd) intentd=$(realpath "$2"); shift ;;
    --append) append=true ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
    esac
    shift
done

make -s
if [ -z "$intentd" ]; then
    intentd="$("$root/config/optimized.sh" -j 2)"
fi
export INTENTD="$intentd"

scratch=$(mktemp -d)
broker=""
stop() {
    [ -z "$broker" ] || { kill "$broker" 2>/dev/null || true; wait "$broker" 2>/dev/null || true; }
    rm -rf "$scratch"
}
trap stop EXIT
if [ -z "$brokers" ]; then
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "$INTENTD" broker --listen "127.0.0.1:$port" --data "$scratch/broker" >"$scratch/broker.log" 2>&1 &
    broker=$!
    brokers="127.0.0.1:$port"
    broker_pid=$broker
    for _ in $(seq 100); do
        ./ktopics create -b "$brokers" -p 1 equal-work.ready >/dev/null 2>&1 && break
        kill -0 "$broker" || { cat "$scratch/broker.log" >&2; exit 69; }
        sleep 0.1
    done
fi

systems=()
for name in ${names//,/ }; do systems+=("systems/$name.json"); done
case $names in *streams*) streams/equal-work.sh build ;; esac
$append || rm -f results.ndjson
python3 bench.py "${systems[@]}" -b "$brokers" --broker-pid "$broker_pid" -p 8 -n "$requests" -W "$warmup" -R "$rates" \
    -r "$rounds" -o results.ndjson
python3 ratios.py results.ndjson
