#!/usr/bin/env bash
# Outside clients judge the broker and the pipeline: kcat, confluent-kafka, aiokafka, kafka-python. A client that is
# missing is a failure.
#
#   Tests/Judges/run.sh [OPTION…]   options of `swift build` for `hazardd`, such as `--traits PostgreSQL`: with those of
#                                   the build before this one nothing is compiled twice
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v kcat >/dev/null || { echo "kcat is missing: apt-get install kcat" >&2; exit 1; }
python="$(Tests/Judges/python.sh)"
agents="$(Tests/Judges/python.sh agents)"
"$python" Tests/Judges/checker.py --self-test
"$python" Tests/Judges/judging_selftest.py
(cd clients/python && "$python" -m unittest discover -s tests)
node --test clients/typescript/test/
# The judges that take too long to run here must at least start.
for judge in load operations upgrade topics figures m2m corpus; do "$python" Tests/Judges/$judge.py --help >/dev/null; done

# The program as it is shipped: its times are judged, too.
intentd="$(config/optimized.sh -j 2)"
"$python" Benchmarks/Layout/layout.py --check "$intentd"
Tests/Packaging/check.sh "$intentd"
# A plan that SwiftPM keeps in the scratch directory may be that of the build before, which is of another package.
swift build -j 2 --package-path Tests/Examples/Hazards --scratch-path .build --disable-build-manifest-caching "$@"
hazardd="$(swift build --show-bin-path "$@")/hazardd"
[ -e .build/documentation/index.html ] || Documentation/build.sh

# Runs one judge, shows what it says when it has ended, and how long it took. What failed is shown again at the end:
# thousands of lines later nobody sees it.
logs="$(mktemp -d)"
trap '[ ! -e "$logs/failed" ] || cat "$logs/failed"; rm -rf "$logs"' EXIT
judge() {
    local began=$SECONDS log="$logs/$1" status=0
    "$python" "Tests/Judges/$1.py" "${@:2}" >"$log" 2>&1 </dev/null || status=$?
    cat "$log"
    echo "$1: $((SECONDS - began)) s, exit status $status"
    if [ "$status" != 0 ]; then
        {
            echo "The judge $1 has failed with exit status $status:"
            grep -a -A 20 '^FAIL' "$log" || tail -30 "$log"
        } >>"$logs/failed"
    fi
    return "$status"
}

# Judges wait most of the time, for kills, sessions and time-outs, so two of them run at once.
broker="$intentd broker --listen 127.0.0.1:PORT --data DIR"
first() {
    judge tenants --intentd "$intentd"
    judge metrics --intentd "$intentd"
    judge traces --intentd "$intentd"
    judge sight --intentd "$intentd"
    judge console --intentd "$intentd"
    judge documentation --site .build/documentation
    python="$agents" judge agents --intentd "$intentd"
    judge terminal --intentd "$intentd"
    judge webclients --intentd "$intentd"
    judge intruders --intentd "$intentd"
    judge webhooks --intentd "$intentd"
    judge stranger --intentd "$intentd"
}
second() {
    judge judge --broker-command "$broker"
    judge kills --broker-command "$broker"
    judge pipeline --intentd "$intentd"
    judge refusals --intentd "$intentd"
    judge hostile --intentd "$intentd" --shape up
    judge restore --intentd "$intentd"
    judge services --intentd "$intentd"
    judge acting --intentd "$intentd"
    judge chaos --intentd "$intentd" --requests 1500 --faults 15 --pause 0.5
    judge gateway --intentd "$intentd"
    judge killers --hazardd "$hazardd" --requests 500 --killers 2
    judge tasks --hazardd "$hazardd"
    judge chaos --tours --intentd "$hazardd" --requests 1500 --faults 15 --pause 0.5
    judge blockers --hazardd "$hazardd"
    judge alerts --intentd "$hazardd"
    judge survivors --hazardd "$hazardd"
}
first &
began=($!)
second &
began+=($!)
failures=0
for list in "${began[@]}"; do wait "$list" || failures=$((failures + 1)); done
[ "$failures" = 0 ]
# By themselves: another judge beside them would change their figures.
judge times --intentd "$intentd"
judge pacing --intentd "$intentd"

# TLS, SASL and ACLs, on a Kafka of its own; says so and does nothing without KAFKA_HOME.
"$python" Tests/Judges/secure.py --intentd "$intentd" \
    --conformance "swift test -j 2 $* --filter ExternalBrokerConformanceTests"
if [ -n "${INTENTD_TEST_BROKERS:-}" ]; then
    "$python" Tests/Judges/judge.py "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/pipeline.py --intentd "$intentd" --brokers "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/chaos.py --intentd "$intentd" --requests 1500 --faults 15 --pause 0.5 \
        --brokers "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/chaos.py --tours --intentd "$hazardd" --requests 1500 --faults 15 --pause 0.5 \
        --brokers "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/hostile.py --intentd "$intentd" --brokers "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/tenants.py --intentd "$intentd" --brokers "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/topics.py --intentd "$intentd" --brokers "$INTENTD_TEST_BROKERS"
fi
