#!/usr/bin/env bash
# Builds intentd as the image and the tarball have it, and prints the path of the program.
#
#   config/optimized.sh [OPTION…]                    options of `swift build`, such as `--traits PostgreSQL`
#   PRODUCT=turn-allocations config/optimized.sh     another program with the same options
#
# Unlike `swift build -c release`, it links Swift's libraries statically, and places the functions that a turn needs
# side by side, in the order of config/functions.order; the stages need 15 % less processor time (Benchmarks/README.md,
# "Function order"). These options apply to every module, so the build has a scratch directory of its own.
set -euo pipefail
repository="$(cd "$(dirname "$0")/.." && pwd)"
product="${PRODUCT:-intentd}"
options=(
    -c release --package-path "$repository" --scratch-path "$repository/.build/optimized" --static-swift-stdlib
    # A section for each function, and a linker that orders them. The list may name functions that no longer exist.
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld
    -Xlinker "--symbol-ordering-file=$repository/config/functions.order" -Xlinker --no-warn-symbol-ordering
)

directory="$(swift build "${options[@]}" --show-bin-path "$@")"
# SwiftPM does not know that the program depends on the list.
[ "$directory/$product" -nt "$repository/config/functions.order" ] || rm -f "$directory/$product"
swift build "${options[@]}" --product "$product" "$@" >&2
echo "$directory/$product"
