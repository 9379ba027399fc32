#!/usr/bin/env bash
# The processor time of the README's first build on a fresh machine, in that of one of its dependencies, so that the
# figure does not depend on the machine; fails above a bound.
#
# Only a build from scratch is meaningful, so where there is a build already, it does nothing. The arguments are options
# of `swift build`.
set -euo pipefail
cd "$(dirname "$0")/.."

reference=GRDB
bound=11 # times the processor time of the reference, user's and kernel's

directory=$(swift build --show-bin-path "$@")
if [ -e "$directory/intentd" ] || [ -e "$directory/$reference.build" ]; then
    echo "Build time: not measured, $directory holds a build already."
    exit 0
fi
spent=$(mktemp)
trap 'rm -f "$spent"' EXIT
TIMEFORMAT='%U %S'
exec 3>&2
measure() { { time "$@" >&3 2>&3; } 2>>"$spent"; }

swift package resolve
began=$SECONDS
measure swift build -j 2 --target "$reference" "$@"
measure swift build -j 2 --product intentd "$@"
awk -v reference="$reference" -v bound="$bound" -v wall=$((SECONDS - began)) '
    { total += $1 + $2 }
    NR == 1 { first = total }
    END {
        printf "Build time: building intentd from nothing took %d s of processor time, %d s in all: ", total, wall
        printf "%.1f times that of %s alone (%d s).\n", total / first, reference, first
        if (total > bound * first) { printf "That is more than %d times.\n", bound >"/dev/stderr"; exit 1 }
    }' "$spent"
