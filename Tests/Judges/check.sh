#!/usr/bin/env bash
# Holds a deployment's history against what intentd promises; `check.sh --help` says how.
#
#   Tests/Judges/check.sh --brokers HOST:PORT --data DIR [--ended]
#   Tests/Judges/check.sh --self-test
set -euo pipefail
judges="$(cd "$(dirname "$0")" && pwd)"
exec "$("$judges/python.sh")" "$judges/checker.py" "$@"
