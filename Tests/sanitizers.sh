#!/usr/bin/env bash
# The suite, chaos, storms of starts and a cluster under AddressSanitizer and ThreadSanitizer: intentd and librdkafka are
# built with them, in directories of their own, and every report of a process that ran is a failure.
#
#   Tests/sanitizers.sh [address|thread]… [--part build|suite|chaos|storms|cluster]… [--release]
#
# With KAFKA_HOME=directory, the storms also run on the Kafka there, with TLS and SASL, and a deployment on several hosts
# is broken as well.
# With --release the optimised program, with AddressSanitizer alone and without the suite: its tests reach into modules of a
# debug build. SANITIZED_WIDTH=N is how many tests run at once (6).
#
# What is not intentd's is suppressed by name, with its reason, in Tests/Sanitizers/*.supp.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

usage() { sed -n 's/^#   \(Tests\/sanitizers.sh.*\)/usage: \1/p' "$0" >&2; exit 64; }

sanitizers=()
parts=()
configuration=debug
while [ $# -gt 0 ]; do
    case "$1" in
    address | thread) sanitizers+=("$1") ;;
    --part)
        case "${2:-}" in build | suite | chaos | storms | cluster) parts+=("$2") ;; *) usage ;; esac
        shift
        ;;
    --release) configuration=release ;;
    *) usage ;;
    esac
    shift
done
[ ${#sanitizers[@]} -gt 0 ] || sanitizers=(address thread)
[ ${#parts[@]} -gt 0 ] || parts=(build suite chaos storms cluster)
runs() { [[ " ${parts[*]} " == *" $1 "* ]]; }

# The compiler that comes with Swift: one runtime of the sanitizer in a process.
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang

# Debian's source of the librdkafka that is installed, patched as Debian's is, in the directory $1.
fetch_librdkafka() {
    local version list lists
    version=$(dpkg-query -W -f '${source:Version}' librdkafka1)
    lists="$1/apt"
    rm -rf "$1"
    mkdir -p "$lists/parts" "$lists/lists/partial"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/{debian,ubuntu}.sources; do
        [ ! -e "$list" ] || sed -E 's/^Types: .*/Types: deb-src/; s/^deb /deb-src /' "$list" > "$lists/parts/$(basename "$list")"
    done
    # With lists of its own: the machine's are left as they are.
    local options=(-q -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$lists/parts"
        -o "Dir::State::Lists=$lists/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=)
    apt-get "${options[@]}" update
    (cd "$1" && apt-get "${options[@]}" source "librdkafka=$version" && mv librdkafka-*/ source)
}

# The instrumented librdkafka of the sanitizer $1, in the directory $2.
build_librdkafka() {
    local options=()
    [ -e "$2/librdkafka.so.1" ] && return
    fetch_librdkafka "$2"
    # ThreadSanitizer sees no threads that are made with C11's functions.
    [ "$1" = address ] || options+=(--disable-c11threads)
    # The library is instrumented, and the programs with which configure tries the machine are not: the runtime, which the
    # program brings, does not link without Swift's libraries.
    (cd "$2/source" \
        && ./configure --cc="$clang" --cxx="$clang++" --no-download "${options[@]}" \
        && echo "CFLAGS += -O1 -fno-omit-frame-pointer -fsanitize=$1" >> Makefile.config \
        && make -j 2 -C src librdkafka.so.1) > "$2/build.log" 2>&1 || { tail -n 30 "$2/build.log" >&2; return 1; }
    cp "$2/source/src/librdkafka.so.1" "$2/"
}

build() {
    build_librdkafka "$sanitizer" "$scratch/librdkafka"
    if [ "$sanitizer" = thread ]; then
        "$clang" -O1 -fPIC -c Tests/Sanitizers/MutexOrder.c -o "$scratch/MutexOrder.o"
    fi
    if [ "$configuration" = debug ]; then
        swift build --build-tests "${flags[@]}"
    else
        swift build --product intentd "${flags[@]}"
    fi
    # What is tested must be what is instrumented.
    local loaded
    loaded=$(ldd "$intentd" | sed -n 's/^.*librdkafka[^ ]* => \([^ ]*\) .*/\1/p')
    [ "$loaded" = "$scratch/librdkafka/librdkafka.so.1" ] || { echo "$intentd loads $loaded" >&2; return 1; }
    "$intentd" --version
}

suite() {
    if [ "$configuration" = release ]; then echo "SKIP suite: its tests are built in debug"; return; fi
    local status=0
    server=$(mktemp -u -d /tmp/intentd-postgresql-XXXXXX)
    if ! INTENTD_TEST_POSTGRESQL=$(Tests/postgresql.sh start "$server"); then
        echo "SKIP the tests of the ledger on PostgreSQL: there is none"
    else
        export INTENTD_TEST_POSTGRESQL
        trap 'Tests/postgresql.sh stop "$server" immediate || true; rm -rf "$server"' EXIT
    fi
    tests "${SANITIZED_WIDTH:-6}" || status=$?
    # Processes are slower by a factor of ten, and each test has its time-outs: those that failed run again, one at a time.
    local failed
    failed=$(python3 - "$scratch/suite-swift-testing.xml" <<'END'
import re, sys, xml.etree.ElementTree as tree
cases = tree.parse(sys.argv[1]).getroot().iter("testcase")
names = {f"{case.get('classname')}/{case.get('name')}" for case in cases if case.find("failure") is not None}
print("|".join(sorted(map(re.escape, names))))
END
    )
    if [ "$status" -ne 0 ] && [ -n "$failed" ]; then
        status=0
        tests 1 --filter "$failed" || status=$?
    fi
    return "$status"
}

# Runs tests, $1 at a time.
tests() {
    local status=0
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$1 swift test --skip-build --parallel "${flags[@]}" \
        --xunit-output "$scratch/suite.xml" "${@:2}" > "$scratch/suite.log" 2>&1 || status=$?
    grep -aE '^✘|recorded an issue|Fatal error|error:|Test run with' "$scratch/suite.log" | cut -c1-400 \
        || tail -n 30 "$scratch/suite.log"
    return "$status"
}

chaos() { "$python" Tests/Judges/chaos.py --intentd "$intentd" --requests 2000 --faults 30 --seed 1; }

storms() { "$python" Tests/Judges/storms.py --intentd "$intentd" --reports "$reports"; }

# The program of the example package, whose ledger is on PostgreSQL.
cluster() {
    if [ -z "${KAFKA_HOME:-}" ]; then echo "SKIP cluster: KAFKA_HOME names no Kafka"; return; fi
    local build=(--package-path Tests/Examples/SetsAndReps "${flags[@]}" --product gymd)
    swift build "${build[@]}"
    Tests/Judges/Cluster/cluster.sh --intentd "$(swift build "${build[@]}" --show-bin-path)/gymd" \
        --requests 2000 --faults 12 --seed 1
}

status=0
python=$(Tests/Judges/python.sh)
for sanitizer in "${sanitizers[@]}"; do
    # In optimised code it does not see that resuming a continuation happens before what the task does next (Swift 6.3): it
    # reports a race for the values that pass through one, also in a program of twenty lines.
    if [ "$sanitizer $configuration" = "thread release" ]; then
        echo "SKIP thread: ThreadSanitizer reports races that are none in optimised Swift"
        continue
    fi
    scratch=$root/.build-${sanitizer:0:1}san
    [ "$configuration" = debug ] || scratch+=-$configuration
    mkdir -p "$scratch"
    reports=$scratch/reports
    rm -rf "$reports"
    mkdir "$reports"
    # Without jemalloc: the sanitizer has to see what is allocated.
    export WITHOUT_JEMALLOC=1
    flags=(-j 2 --sanitize "$sanitizer" --scratch-path "$scratch" -c "$configuration" --traits PostgreSQL
        -Xlinker -rpath -Xlinker "$scratch/librdkafka")
    [ "$sanitizer" = address ] || flags+=(-Xlinker "$scratch/MutexOrder.o")
    intentd=$scratch/$configuration/intentd
    # Signals stay as they are: some tests end processes by one, on purpose, and look at what is left of them.
    common="halt_on_error=0:log_path=$reports/report:log_exe_name=1:handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0"
    # Without leaks: a process ends without exit handlers, and what it holds until then is no leak.
    export ASAN_OPTIONS="$common:detect_leaks=0:suppressions=$root/Tests/Sanitizers/address.supp"
    export TSAN_OPTIONS="$common:suppressions=$root/Tests/Sanitizers/thread.supp:second_deadlock_stack=1:history_size=4"
    for part in build suite chaos storms cluster; do
        runs "$part" || continue
        echo "== $sanitizer: $part"
        began=$SECONDS
        # In a shell of its own that no condition holds back from ending at the first command that fails.
        set +e
        (set -e; "$part")
        result=$?
        set -e
        if [ "$result" -eq 0 ]; then result=passed; else result=failed; status=1; fi
        echo "== $sanitizer: $part $result after $(((SECONDS - began + 30) / 60)) min"
        [ "$part $result" != "build failed" ] || break
    done
    count=$(find "$reports" -type f | wc -l)
    echo "== $sanitizer: $count processes with reports"
    if [ "$count" -gt 0 ]; then
        status=1
        grep -ahE '^SUMMARY' "$reports"/* | sort | uniq -c | sort -rn
        echo "They are in $reports."
    fi
done
exit "$status"
