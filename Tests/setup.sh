#!/usr/bin/env bash
# Installs what is missing on a machine that has only Swift (Debian or Ubuntu): the libraries that intentd links, the
# server for the ledger on PostgreSQL, and with --judges the outside clients.
#
# Without apt, or without the right to use it, it names the missing packages and leaves them out: the build fails if it
# needs one of them, and tests that need one are skipped.
set -euo pipefail

mapfile -t packages < "$(dirname "$0")/../config/packages/build.txt"
packages+=(openssl python3 libpq-dev postgresql)
[ "${1:-}" = "--judges" ] && packages+=(kcat python3-venv prometheus chromium chromium-driver nodejs)

command -v dpkg-query >/dev/null || { echo "SKIP installing packages: this is not Debian or Ubuntu (${packages[*]})"; exit 0; }
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
export DEBIAN_FRONTEND=noninteractive
if ! "${as_root[@]}" apt-get update -q || ! "${as_root[@]}" apt-get install -y -q "${missing[@]}"; then
    echo "SKIP installing packages: apt-get failed; missing: ${missing[*]}"
fi
