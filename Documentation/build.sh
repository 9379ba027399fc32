#!/usr/bin/env bash
# Builds one site from the documentation of all targets that have any: articles, tutorials, and public symbols.
#
#   Documentation/build.sh [OUTPUT]     (default .build/documentation; what was there is replaced)
#
# The targets must be built for debugging (`swift build --build-tests`). Warnings are errors, so that no link is dead.
# To look at it: python3 -m http.server --directory .build/documentation 8000, then http://localhost:8000/documentation/
set -euo pipefail
cd "$(dirname "$0")/.."
output=${1:-.build/documentation}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What users import, then all else that has articles.
targets=(IntentCommands IntentKit IntentTesting)
for catalog in Sources/*/Documentation.docc; do
    target=$(basename "$(dirname "$catalog")")
    [[ " ${targets[*]} " == *" $target "* ]] || targets+=("$target")
done

triple=$(swift -print-target-info | grep -m1 '"triple"' | cut -d'"' -f4)
maps=()
for map in .build/debug/*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap \
    .build/checkouts/*/Sources/*/module.modulemap Sources/*/module.modulemap; do
    # C libraries only: the others are headers made of Swift, which nobody imports.
    if [ -e "$map" ] && ! grep -q 'Swift.h' "$map"; then maps+=(-Xcc "-fmodule-map-file=$PWD/$map"); fi
done

archives=()
for target in "${targets[@]}"; do
    # What users import is documented as they see it; the inner targets with what one of ours can call.
    access=package
    grep -q "\.library(name: \"$target\"" Package.swift && access=public
    mkdir -p "$work/$target"
    swift symbolgraph-extract -module-name "$target" -target "$triple" -I .build/debug/Modules "${maps[@]}" \
        -minimum-access-level "$access" -skip-inherited-docs -output-dir "$work/$target"
    # Extensions of others' types would make pages of the standard library.
    find "$work/$target" -name '*@*' -delete
    catalog=()
    if [ -d "Sources/$target/Documentation.docc" ]; then
        catalog=("$work/$target.docc")
        cp -r "Sources/$target/Documentation.docc" "${catalog[0]}"
        # Links to other targets' articles are those of a code host; on the site these are at other addresses.
        sed -i -E 's#\]\(\.\./\.\./([A-Za-z]+)/Documentation\.docc/([A-Za-z]+)\.md\)#](/documentation/\L\1/\2)#g' \
            "${catalog[0]}"/*.md
    fi
    docc convert ${catalog[@]+"${catalog[@]}"} --additional-symbol-graph-dir "$work/$target" \
        --output-dir "$work/$target.doccarchive" --fallback-display-name "$target" \
        --fallback-bundle-identifier "$target" --warnings-as-errors
    archives+=("$work/$target.doccarchive")
done

rm -rf "$output"
mkdir -p "$(dirname "$output")"
docc merge "${archives[@]}" --synthesized-landing-page-name intentd --synthesized-landing-page-kind Documentation \
    --output-path "$output"

# DocC looks at links within a target; those to others are looked at here.
for link in $(cat "$work"/*.docc/*.md | grep -oE '\]\(/documentation/[^)]+\)' | sort -u | sed -E 's/^\]\(|\)$//g'); do
    if [ ! -e "$output$link/index.html" ]; then
        echo "nothing is at $link" >&2
        exit 1
    fi
done
echo "$output: $(find "$output/data" -name '*.json' | wc -l) pages of ${#targets[@]} targets"
echo "python3 -m http.server --directory $output 8000, then http://localhost:8000/documentation/"
