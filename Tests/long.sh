#!/usr/bin/env bash
# The tests that take hours, one part after the other. It continues after a part that fails, and names the failed parts
# at the end.
#
#   Tests/long.sh [PART…]     all parts, or some of: simulation mutants fuzzing sanitizers chaos cluster
#
# With KAFKA_HOME=directory, chaos also runs on several hosts, and the storms of the sanitizers run on that Kafka.
set -uo pipefail
cd "$(dirname "$0")/.."

simulation() {
    local program=(swift run -c release intent-simulation) seed
    "${program[@]}" --seeds 100000 --jobs 2 && "${program[@]}" --seeds 20000 --tasks --jobs 2 || return 1
    for seed in 1 2 3 4 5; do "${program[@]}" --crash-points --from "$seed" || return 1; done
}
mutants() {
    Tests/Mutants/switched.py build && Tests/Mutants/switched.py run --behaviours && Tests/Mutants/switched.py run \
        && Tests/Mutants/switched.py report
}
fuzzing() { for target in wire events files; do Tests/Fuzzing/run.sh "$target" 600 || return 1; done; }
sanitizers() { Tests/sanitizers.sh; }
chaos() {
    Tests/Judges/chaos.sh --requests 100000 --faults 250 --seed 1 || return 1
    Tests/Judges/chaos.sh --tours --requests 30000 --faults 150 --seed 1
}
cluster() {
    if [ -z "${KAFKA_HOME:-}" ]; then echo "SKIP cluster: KAFKA_HOME names no Kafka"; return; fi
    Tests/Judges/Cluster/cluster.sh --requests 20000 --faults 60 --seed 1
}

all=(simulation mutants fuzzing sanitizers chaos cluster)
parts=("$@")
[ $# -gt 0 ] || parts=("${all[@]}")
for part in "${parts[@]}"; do
    if [[ " ${all[*]} " != *" $part "* ]]; then
        echo "usage: Tests/long.sh [PART…] with parts of: ${all[*]}" >&2
        exit 64
    fi
done
failed=()
for part in "${parts[@]}"; do
    echo "== $part"
    began=$SECONDS
    # In a shell of its own: a part may not change what the next one finds.
    ("$part") || failed+=("$part")
    echo "== $part took $(((SECONDS - began) / 60)) min"
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "These have failed: ${failed[*]}"
    exit 1
fi
