#!/usr/bin/env bash
# The suite: format, then all unit and integration tests. Installs what is missing.
#
#   Tests/run.sh            the suite
#   Tests/run.sh --judges   and the documentation, the allocations of a turn, the example packages, and outside clients
#                           (Tests/Judges)
#
# What cannot run on this machine is skipped with a line that says so.
#
# With KAFKA_HOME=directory the judges set up the Kafka there with TLS, SASL and ACLs (Tests/Judges/secure.py).
# With INTENTD_TEST_BROKERS=host:port all Kafka tests run against those brokers too.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
"") judges=false ;;
--judges) judges=true ;;
*)
    echo "usage: Tests/run.sh [--judges]" >&2
    exit 64
    ;;
esac

Tests/setup.sh "$@"
output=$(mktemp)
package=$(mktemp -d)
# Not below a directory of this user's own: as root, the server runs as nobody.
server=$(mktemp -u -d /tmp/intentd-postgresql-XXXXXX)
trap 'Tests/postgresql.sh stop "$server" immediate 2>/dev/null || true; rm -rf "$output" "$package" "$server"' EXIT

# Runs a step of that name, and says how long it took: the last lines show where the time goes.
times=()
step() {
    local began=$SECONDS
    "${@:2}"
    times+=("$(printf '%5d s  %s' $((SECONDS - began)) "$1")")
}
report() { printf '%s\n' "Where the time went:" "${times[@]}"; }

check() {
    python3 Tests/Mutants/switched.py check
    swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks
}

# A package that `intentd init` has just written, with the traits of this build: in this scratch directory it finds
# everything built already but itself.
init_package() {
    swift build -j 2 --product intentd "${traits[@]}"
    .build/debug/intentd init OrderTea --package-path . --output "$package/OrderTea"
    if [ ${#traits[@]} -gt 0 ]; then
        sed -i 's|\(package(name: "intentd", path: ".*"\))|\1, traits: ["'"${traits[1]}"'"])|' "$package/OrderTea/Package.swift"
        grep -q 'traits:' "$package/OrderTea/Package.swift"
    fi
    swift test -j 2 --package-path "$package/OrderTea" --scratch-path .build
}

suite() {
    if ! swift test --skip-build "${traits[@]}" 2>&1 | tee "$output"; then
        # Thousands of lines later nobody sees what has failed.
        echo "These tests have failed:"
        grep -aE '^✘|recorded an issue|Fatal error|error:' "$output" || tail -50 "$output"
        exit 1
    fi
}

step "format, mutants' places" check

# With PostgreSQL where it is installed, in all steps but those of optimized code, which are without: each step that
# built with other traits would compile every file again.
traits=()
if ! pkg-config --exists libpq; then
    echo "SKIP the ledger on PostgreSQL: libpq-dev is not installed"
elif ! INTENTD_TEST_POSTGRESQL=$(Tests/postgresql.sh start "$server"); then
    echo "SKIP the tests of the ledger on PostgreSQL: cannot start a server"
    traits=(--traits PostgreSQL)
else
    export INTENTD_TEST_POSTGRESQL
    traits=(--traits PostgreSQL)
fi
if $judges; then
    # From nothing this builds what the README's first command runs, with these traits; the processor time is bounded.
    step "build of intentd, from nothing" Tests/build-time.sh "${traits[@]}"
    step "package of intentd init" init_package
fi
step "build with tests" swift build -j 2 --build-tests "${traits[@]}"
step "suite" suite
if $judges; then
    # One site of all documentation, without a warning and without a dead link: seconds, since all is built.
    step "documentation" Documentation/build.sh
    # The step that needs optimized code; then the program as it is shipped: the optimizing compiler checks whole
    # modules, and reports what it does not see file by file.
    step "allocations of a turn" Tests/allocations.sh
    step "build of intentd, optimized" config/optimized.sh -j 2
    # An example depends on this package by path, and runs on SQLite and on PostgreSQL.
    step "example package" \
        swift test -j 2 --package-path Tests/Examples/SetsAndReps --scratch-path .build "${traits[@]}"
    step "example package of the vet" \
        swift test -j 2 --package-path Tests/Examples/Vet --scratch-path .build "${traits[@]}"
    step "judges" Tests/Judges/run.sh "${traits[@]}"
fi
report
