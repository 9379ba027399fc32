#!/usr/bin/env bash
# Makes the Python that the judges run in, if it is not there, and prints its path.
#
#   Tests/Judges/python.sh         the packages of requirements.txt
#   Tests/Judges/python.sh NAME    those of requirements-NAME.txt, in an environment of their own
set -euo pipefail
cd "$(dirname "$0")/../.."

requirements="Tests/Judges/requirements${1:+-$1}.txt"
venv="$PWD/.build/judges${1:+-$1}"
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" >&2
    cp "$requirements" "$venv/requirements.txt"
fi
echo "$venv/bin/python"
