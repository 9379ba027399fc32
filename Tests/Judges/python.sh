#!/usr/bin/env bash
# Makes the Python that the judges run in, if it is not there, and prints its path.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv="$PWD/.build/judges"
if ! cmp --silent Tests/Judges/requirements.txt "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r Tests/Judges/requirements.txt >&2
    cp Tests/Judges/requirements.txt "$venv/requirements.txt"
fi
echo "$venv/bin/python"
