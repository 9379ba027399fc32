#!/usr/bin/env bash
# The whole suite: format, unit and integration tests, the documentation, the allocations of a turn, the example package,
# a package from `intentd init`, then outside clients against the broker and the pipeline.
#
#   Tests/run.sh            everything; installs what is missing
#   Tests/run.sh --quick    without the outside clients
#
# With KAFKA_HOME=directory the Kafka there is set up with TLS, SASL and access rules, and tested (Tests/Judges/secure.py).
# With INTENTD_TEST_BROKERS=host:port all Kafka tests run against those brokers too.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = "--quick" ]; then Tests/setup.sh; else Tests/setup.sh --judges; fi

# From nothing this builds what the README's first command runs, and the processor time of that is bounded.
Tests/build-time.sh

python3 Tests/Mutants/switched.py check
swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks
output=$(mktemp)
package=$(mktemp -d)
# Not below a directory of this user's own: as root, the server runs as nobody.
server=$(mktemp -u -d /tmp/intentd-postgresql-XXXXXX)
trap 'Tests/postgresql.sh stop "$server" immediate || true; rm -rf "$output" "$package" "$server"' EXIT

# A package that `intentd init` has just written: what it gets is intentd without traits. In this scratch directory it
# finds everything built already but itself.
swift build -j 2 --product intentd
.build/debug/intentd init OrderTea --package-path . --output "$package/OrderTea"
swift test -j 2 --package-path "$package/OrderTea" --scratch-path .build

# From here on with PostgreSQL.
traits=(--traits PostgreSQL)
INTENTD_TEST_POSTGRESQL=$(Tests/postgresql.sh start "$server")
export INTENTD_TEST_POSTGRESQL
swift build -j 2 --build-tests "${traits[@]}"
if ! swift test --skip-build "${traits[@]}" 2>&1 | tee "$output"; then
    # Thousands of lines later nobody sees what has failed.
    echo "These tests have failed:"
    grep -aE '^✘|recorded an issue|Fatal error|error:' "$output" || tail -50 "$output"
    exit 1
fi

# One site of all documentation, without a warning and without a dead link: seconds, since all is built.
Documentation/build.sh

# The step that needs optimized code.
Tests/allocations.sh

# An example depends on this package by path, and runs on SQLite and on PostgreSQL.
swift test -j 2 --package-path Tests/Examples/SetsAndReps --scratch-path .build "${traits[@]}"

[ "${1:-}" = "--quick" ] || Tests/Judges/run.sh
