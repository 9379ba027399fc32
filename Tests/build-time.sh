#!/usr/bin/env bash
# The processor time of the README's first build on a fresh machine; fails above a bound.
#
# Only a build from scratch is meaningful, so where there is a release build already, it does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

bound=500 # s of processor time, user's and kernel's

directory=$(swift build --show-bin-path)
if [ -e "$directory/intentd" ]; then
    echo "Build time: not measured, $directory holds a build already."
    exit 0
fi
spent=$(mktemp)
trap 'rm -f "$spent"' EXIT
TIMEFORMAT='%R %U %S'
exec 3>&2
{ time swift build -j 2 --product intentd >&3 2>&3; } 2>"$spent"
read -r real user kernel <"$spent"
total=$(awk "BEGIN { printf \"%d\", $user + $kernel }")
echo "Build time: building intentd from nothing took $total s of processor time, ${real%.*} s in all."
if [ "$total" -gt "$bound" ]; then
    echo "That is more than $bound s." >&2
    exit 1
fi
