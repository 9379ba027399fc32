#!/usr/bin/env bash
# Creates a tarball for Debian 12 on this processor: the program, statically linked with Swift's libraries, the systemd
# unit, the example configuration, the names of the packages that it needs, and the Package.resolved of the build.
#
#   config/tarball.sh [DIRECTORY]        writes DIRECTORY/intentd-<version>-<commit>-<processor>.tar.gz
#
# INTENTD=PATH names an existing program; without it one is built, with PostgreSQL (libpq-dev). To install it, as its INSTALL says:
#
#   xargs apt-get install -y < packages.txt
set -euo pipefail
repository="$(cd "$(dirname "$0")/.." && pwd)"
output="$(realpath "${1:-.}")"
cd "$repository"

resolved=()
if [ -z "${INTENTD:-}" ]; then
    SOURCE_COMMIT="${SOURCE_COMMIT:-$(git rev-parse --short=12 HEAD 2>/dev/null || true)}"
    [ -n "$SOURCE_COMMIT" ] && export SOURCE_COMMIT
    INTENTD="$(config/optimized.sh -j 2 --traits PostgreSQL)"
    resolved=(Package.resolved)
fi
if [[ "$(ldd "$INTENTD")" == *libswiftCore* ]]; then
    echo "$INTENTD needs Swift's libraries: build it with config/optimized.sh" >&2
    exit 1
fi
# "intentd 0.1.0, commit 16f74c4"
read -r _ version _ commit < <("$INTENTD" --version)
name="intentd-${version%,}-$commit-$(uname -m)"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
install -d "$work/$name/config"
install -s -m 0755 "$INTENTD" "$work/$name/intentd"
install -m 0644 LICENSE config/packages/runtime.txt "${resolved[@]}" "$work/$name/"
mv "$work/$name/runtime.txt" "$work/$name/packages.txt"
install -m 0644 config/systemd/intentd@.service config/systemd/intentd-gateway.service config/systemd/intentd.conf "$work/$name/"
install -D -m 0644 -t "$work/$name/workers" config/systemd/workers/*
cp -r config/intentd.yaml config/intents config/prompts config/vocabularies "$work/$name/config/"
# An installation serves its own intents.
sed -i -e 's/^samples: true$/samples: false/' -e '1s/ but one: .*$/./' "$work/$name/config/intentd.yaml"
cat > "$work/$name/INSTALL" <<END
$("$INTENTD" --version | head -n 1), for Debian 12 on $(uname -m).

As root:

    xargs apt-get install -y --no-install-recommends < packages.txt
    install -m 0755 intentd /usr/local/bin/
    intentd demo

As services, beside a Kafka (its addresses go into /etc/intentd/config/intentd.yaml, as \`brokers: [host:port]\`):

    install -d /etc/intentd && cp -r config /etc/intentd/
    install -m 0644 intentd.conf /usr/lib/sysusers.d/ && systemd-sysusers
    install -m 0644 intentd@.service intentd-gateway.service /etc/systemd/system/ && systemctl daemon-reload
    install -D -m 0644 -t /etc/intentd/workers workers/*
    cd /etc/intentd && intentd topics create
    systemctl enable --now intentd@resolve intentd@confirm intentd@handle intentd@record
    systemctl enable --now intentd-gateway      # for clients that speak HTTP
END
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -czf "$output/$name.tar.gz" "$name"
echo "$output/$name.tar.gz"
