#!/usr/bin/env bash
# Breaks a deployment on several hosts again and again, and checks what came of it; `cluster.sh --help` says how.
#
#   KAFKA_HOME=/opt/kafka Tests/Judges/Cluster/cluster.sh --requests 20000 --faults 60 --seed 1
#
# Uses a release build of the example package, unless --intentd names another program. Needs root: everything runs in namespaces of its own, and
# ends with it.
set -euo pipefail
cd "$(dirname "$0")/../../.."

[ "$(id -u)" = 0 ] || { echo "SKIP cluster: only root makes network namespaces"; exit 0; }
python="$(Tests/Judges/python.sh)"
program=()
case " $* " in
*" --intentd "* | *" --help "*) ;;
*)
    build=(-c release -j 2 --package-path Tests/Examples/SetsAndReps --scratch-path .build --traits PostgreSQL)
    swift build "${build[@]}" --product gymd
    program=(--intentd "$(swift build "${build[@]}" --show-bin-path)/gymd")
    ;;
esac
clock="$PWD/.build/judges/clock.so"
mkdir -p "${clock%/*}"
"${CC:-cc}" -O1 -shared -fPIC -o "$clock" Tests/Judges/Cluster/clock.c
program+=(--clock "$clock")
exec unshare --mount --net --pid --fork --kill-child --mount-proc -- bash -c \
    'mkdir -p /run/netns && mount -t tmpfs none /run/netns && exec "$@"' cluster \
    "$python" Tests/Judges/Cluster/cluster.py "${program[@]}" "$@"
