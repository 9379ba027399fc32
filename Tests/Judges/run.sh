#!/usr/bin/env bash
# Outside clients judge the broker and the pipeline: kcat, confluent-kafka, aiokafka, kafka-python. A client that is
# missing is a failure.
#
#   Tests/Judges/run.sh [OPTION…]   options of `swift build`, such as `--traits PostgreSQL`: with those of the build
#                                   before this one nothing is compiled twice
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v kcat >/dev/null || { echo "kcat is missing: apt-get install kcat" >&2; exit 1; }
python="$(Tests/Judges/python.sh)"
"$python" Tests/Judges/checker.py --self-test
"$python" Tests/Judges/judging_selftest.py
# The judges that take too long to run here must at least start.
for judge in load operations upgrade topics figures; do "$python" Tests/Judges/$judge.py --help >/dev/null; done

swift build -j 2 --product intentd "$@"
intentd="$(swift build --show-bin-path "$@")/intentd"
Tests/Packaging/check.sh "$intentd"
"$python" Tests/Judges/judge.py --broker-command "$intentd broker --listen 127.0.0.1:PORT --data DIR"
"$python" Tests/Judges/kills.py --broker-command "$intentd broker --listen 127.0.0.1:PORT --data DIR"
"$python" Tests/Judges/pipeline.py --intentd "$intentd"
"$python" Tests/Judges/refusals.py --intentd "$intentd"
"$python" Tests/Judges/hostile.py --intentd "$intentd" --shape up
"$python" Tests/Judges/tenants.py --intentd "$intentd"
"$python" Tests/Judges/restore.py --intentd "$intentd"
"$python" Tests/Judges/services.py --intentd "$intentd"
"$python" Tests/Judges/metrics.py --intentd "$intentd"
"$python" Tests/Judges/traces.py --intentd "$intentd"
"$python" Tests/Judges/sight.py --intentd "$intentd"
"$python" Tests/Judges/console.py --intentd "$intentd"
[ -e .build/documentation/index.html ] || Documentation/build.sh
"$python" Tests/Judges/documentation.py --site .build/documentation
"$python" Tests/Judges/terminal.py --intentd "$intentd"
"$python" Tests/Judges/chaos.py --intentd "$intentd" --requests 1500 --faults 15 --pause 0.5
swift build -j 2 --package-path Tests/Examples/Hazards --scratch-path .build "$@"
hazardd="$(dirname "$intentd")/hazardd"
"$python" Tests/Judges/killers.py --hazardd "$hazardd" --requests 500 --killers 2
"$python" Tests/Judges/blockers.py --hazardd "$hazardd"
"$python" Tests/Judges/survivors.py --hazardd "$hazardd"
# TLS, SASL and ACLs, on a Kafka of its own; says so and does nothing without KAFKA_HOME.
"$python" Tests/Judges/secure.py --intentd "$intentd" \
    --conformance "swift test -j 2 $* --filter ExternalBrokerConformanceTests"
if [ -n "${INTENTD_TEST_BROKERS:-}" ]; then
    "$python" Tests/Judges/judge.py "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/pipeline.py --intentd "$intentd" --brokers "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/chaos.py --intentd "$intentd" --requests 1500 --faults 15 --pause 0.5 \
        --brokers "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/hostile.py --intentd "$intentd" --brokers "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/tenants.py --intentd "$intentd" --brokers "$INTENTD_TEST_BROKERS"
    "$python" Tests/Judges/topics.py --intentd "$intentd" --brokers "$INTENTD_TEST_BROKERS"
fi
