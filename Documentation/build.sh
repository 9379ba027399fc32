#!/usr/bin/env bash
# Builds one site from the documentation of all targets that have any: articles, tutorials, and public symbols.
#
#   Documentation/build.sh [OUTPUT]     (default .build/documentation; what was there is replaced)
#
# A target that was never built is built, for debugging. Warnings are errors, and so is a dead link.
# The site is plain pages: open OUTPUT/index.html in a browser, or put the directory on any host of files.
set -euo pipefail
cd "$(dirname "$0")/.."
output=${1:-.build/documentation}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What users import, then all else that has articles.
targets=(IntentCommands IntentKit IntentTesting)
for catalog in Sources/*/*/Documentation.docc; do
    target=$(basename "$(dirname "$catalog")")
    [[ " ${targets[*]} " == *" $target "* ]] || targets+=("$target")
done

for target in "${targets[@]}"; do
    if [ ! -e ".build/debug/Modules/$target.swiftmodule" ]; then swift build -j 2 --target "$target"; fi
done
triple=$(swift -print-target-info | grep -m1 '"triple"' | cut -d'"' -f4)
maps=()
for map in .build/debug/*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap \
    .build/checkouts/*/Sources/*/module.modulemap Sources/*/*/module.modulemap; do
    # C libraries only: the others are headers made of Swift, which nobody imports.
    if [ -e "$map" ] && ! grep -q 'Swift.h' "$map"; then maps+=(-Xcc "-fmodule-map-file=$PWD/$map"); fi
done

archives=()
for target in "${targets[@]}"; do
    # What users import is documented as they see it; the inner targets with what one of ours can call.
    access=package
    grep -q "\.library(name: \"$target\"" Package.swift && access=public
    mkdir -p "$work/$target"
    # Without what each type has from the standard library's protocols.
    swift symbolgraph-extract -module-name "$target" -target "$triple" -I .build/debug/Modules "${maps[@]}" \
        -minimum-access-level "$access" -skip-inherited-docs -skip-synthesized-members -emit-extension-block-symbols \
        -output-dir "$work/$target"
    # Extensions of others' types would make pages of the standard library. The protocols name those that conform.
    find "$work/$target" -name '*@*' -exec mv {} "$work" ';'
    cp -r Sources/*/"$target"/Documentation.docc "$work/$target.docc"
    # Links to other targets' articles and to pictures are those of a code host; on the site these are elsewhere.
    sed -i -E -e 's#\]\(\.\./\.\./\.\./[A-Za-z]+/([A-Za-z]+)/Documentation\.docc/([A-Za-z]+)\.md#](/documentation/\L\1/\2#g' \
        -e 's#\]\(\.\./\.\./\.\./\.\./Documentation/([a-z-]+\.png)\)#](\1)#g' "$work/$target.docc"/*.md
    for picture in Documentation/*.png; do
        if grep -qF "]($(basename "$picture"))" "$work/$target.docc"/*.md; then cp "$picture" "$work/$target.docc"; fi
    done
    docc convert "$work/$target.docc" --additional-symbol-graph-dir "$work/$target" \
        --output-dir "$work/$target.doccarchive" --fallback-display-name "$target" \
        --fallback-bundle-identifier "$target" --warnings-as-errors --no-transform-for-static-hosting
    archives+=("$work/$target.doccarchive")
done

python3 Documentation/site.py "$output" "${archives[@]}" "$work"/*@*.symbols.json
