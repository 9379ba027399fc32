#!/usr/bin/env bash
# The processor time of the README's first build on a fresh machine, in that of one of its dependencies, so that the
# figure does not depend on the machine; fails above a bound. The dependency is built before and after, because the
# speed of a shared machine changes within minutes.
#
# Only a build from scratch is meaningful, so where there is a build already, it does nothing. The arguments are options
# of `swift build`.
set -euo pipefail
cd "$(dirname "$0")/.."

reference=GRDB
bound=15 # times the processor time of the reference, user's and kernel's; 8.5 to 10 are usual

directory=$(swift build --show-bin-path "$@")
if [ -e "$directory/intentd" ]; then
    echo "Build time: not measured, $directory holds a build already."
    exit 0
fi
scratch=$(mktemp -d)
spent=$(mktemp)
trap 'rm -rf "$scratch" "$spent"' EXIT
TIMEFORMAT='%U %S'
exec 3>&2
measure() { { time "$@" >&3 2>&3; } 2>>"$spent"; }
build_reference() { measure swift build -j 2 --scratch-path "$scratch" --target "$reference" "$@"; }

swift package resolve
swift package resolve --scratch-path "$scratch"
build_reference "$@"
began=$SECONDS
measure swift build -j 2 --product intentd "$@"
wall=$((SECONDS - began))
swift package clean --scratch-path "$scratch"
build_reference "$@"
awk -v reference="$reference" -v bound="$bound" -v wall=$wall '
    { spent[NR] = $1 + $2 }
    END {
        if (NR != 3) { print "Cannot read the three times that were measured." >"/dev/stderr"; exit 1 }
        mean = (spent[1] + spent[3]) / 2
        printf "Build time: building intentd from nothing took %d s of processor time, %d s in all: ", spent[2], wall
        printf "%.1f times that of %s alone (%d and %d s).\n", spent[2] / mean, reference, spent[1], spent[3]
        if (spent[2] > bound * mean) { printf "That is more than %d times.\n", bound >"/dev/stderr"; exit 1 }
    }' "$spent"
