#!/bin/sh
# Fuzzes one target: Tests/Fuzzing/run.sh wire|events|files [SECONDS | runs=N] [libFuzzer's options …]
#
# New inputs go to .build-corpus/, beside the committed Corpus/; a crash leaves its input here.
set -eu
cd "$(dirname "$0")"
target=${1:-}
limit=${2:-60}
case $target in
wire | events | files) ;;
*)
    echo "usage: Tests/Fuzzing/run.sh wire|events|files [SECONDS | runs=N] [libFuzzer's options …]" >&2
    exit 64
    ;;
esac
[ $# -ge 2 ] && shift 2 || shift
case $limit in
runs=*) bound="-runs=${limit#runs=}" ;;
*) bound="-max_total_time=$limit" ;;
esac
scratch=${FUZZ_SCRATCH:-.build}
swift build -c release --sanitize fuzzer -Xswiftc -enable-testing -Xswiftc -DFUZZING --product fuzz --scratch-path "$scratch"
mkdir -p ".build-corpus/$target" "Corpus/$target"
export INTENTD_FUZZ_TARGET="$target"
# Swift's own account of a crash would take the place of libFuzzer's, which keeps the input.
export SWIFT_BACKTRACE=enable=no
exec "$scratch/release/fuzz" "$bound" -dict="Dictionaries/$target.dict" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -use_value_profile=1 -print_final_stats=1 "$@" ".build-corpus/$target" "Corpus/$target"
