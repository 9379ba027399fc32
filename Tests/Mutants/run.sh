#!/bin/bash
# Shows that the simulation finds defects: breaks the sources in one way at a time and runs seeds until one reports a
# violation, or crashes the process. First some seeds with a hostile client, then seeds without.
#
#   Tests/Mutants/run.sh [--in-place] [--seeds N] [--hostile-seeds N] [--scratch DIR] [NAME…]
#
# Works on a copy of the tree; with --in-place on this one, which must be clean and is restored. Fails if a mutant
# survives, or if a patch no longer applies or compiles.
set -uo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
seeds=3000
hostile_seeds=60
in_place=false
scratch=$root/.build/mutants
names=()
while [ $# -gt 0 ]; do
    case $1 in
    --in-place) in_place=true ;;
    --seeds) seeds=$2; shift ;;
    --hostile-seeds) hostile_seeds=$2; shift ;;
    --scratch) scratch=$2; shift ;;
    -*) echo "usage: $0 [--in-place] [--seeds N] [--hostile-seeds N] [--scratch DIR] [NAME…]" >&2; exit 64 ;;
    *) names+=("$1") ;;
    esac
    shift
done
if [ ${#names[@]} -eq 0 ]; then
    for patch in Tests/Mutants/*.patch; do names+=("$(basename "$patch" .patch)"); done
fi

tree=$root
if $in_place; then
    git diff --quiet HEAD -- Sources || { echo "Sources has changes: commit them first." >&2; exit 65; }
else
    tree=$scratch/tree
    mkdir -p "$tree"
    rsync -a --delete --exclude .build --exclude .git Package.swift Package.resolved Sources Tests Benchmarks "$tree/" 2>/dev/null \
        || cp -R Package.swift Sources Tests Benchmarks "$tree/"
fi

# Runs seeds of the broken sources and says how they were found to be broken; fails if they were not.
run_seeds() {
    output=$("$scratch/debug/intent-simulation" --fail-fast "$@" 2>&1)
    status=$?
    case $status in
    0) return 1 ;;
    1)
        needed=$(tail -1 <<<"$output" | cut -d' ' -f1)
        why=$(grep -m1 'does not hold' <<<"$output" | cut -c1-160)
        echo "$name: killed after $needed seeds ($why)"
        ;;
    *)
        why=$(grep -m1 'Fatal error' <<<"$output" | cut -c1-160)
        echo "$name: killed, the process ended with $status ($why)"
        ;;
    esac
}

failures=0
for name in "${names[@]}"; do
    patch=$root/Tests/Mutants/$name.patch
    if ! (cd "$tree" && patch -p1 -s --dry-run <"$patch" >/dev/null); then
        echo "$name: the patch does not apply"
        failures=$((failures + 1))
        continue
    fi
    (cd "$tree" && patch -p1 -s --no-backup-if-mismatch <"$patch")
    if (cd "$tree" && swift build --product intent-simulation --scratch-path "$scratch" >"/tmp/mutant-$$.log" 2>&1); then
        # One after the other: what a hostile client finds, it finds soon.
        if ! run_seeds --seeds "$hostile_seeds" --hostile && ! run_seeds --seeds "$seeds"; then
            echo "$name: SURVIVED $hostile_seeds hostile seeds and $seeds others"
            failures=$((failures + 1))
        fi
    else
        echo "$name: does not compile"
        grep 'error:' "/tmp/mutant-$$.log" | head -3
        failures=$((failures + 1))
    fi
    (cd "$tree" && patch -p1 -s -R --no-backup-if-mismatch <"$patch")
done
rm -f "/tmp/mutant-$$.log"
[ $failures -eq 0 ]
