#!/usr/bin/env bash
# Breaks a running deployment again and again, and checks what came of it; `chaos.sh --help` says how.
#
#   Tests/Judges/chaos.sh --requests 100000 --faults 250 --seed 1
#
# Uses the release build, unless --intentd names another program.
set -euo pipefail
cd "$(dirname "$0")/../.."

python="$(Tests/Judges/python.sh)"
case " $* " in
*" --intentd "*) exec "$python" Tests/Judges/chaos.py "$@" ;;
esac
swift build -c release -j 2 --product intentd
exec "$python" Tests/Judges/chaos.py --intentd "$(swift build -c release --show-bin-path)/intentd" "$@"
