#!/usr/bin/env bash
# Breaks a running deployment again and again, and checks what came of it; `chaos.sh --help` says how.
#
#   Tests/Judges/chaos.sh --requests 100000 --faults 250 --seed 1
#
# Uses the release build, with --tours that of Tests/Examples/Hazards, unless --intentd names another program.
set -euo pipefail
cd "$(dirname "$0")/../.."

python="$(Tests/Judges/python.sh)"
case " $* " in
*" --intentd "*) exec "$python" Tests/Judges/chaos.py "$@" ;;
esac
package=. product=intentd
case " $* " in *" --tours "*) package=Tests/Examples/Hazards product=hazardd ;; esac
swift build -c release -j 2 --package-path "$package" --product "$product"
directory="$(swift build -c release --package-path "$package" --show-bin-path)"
exec "$python" Tests/Judges/chaos.py --intentd "$directory/$product" "$@"
