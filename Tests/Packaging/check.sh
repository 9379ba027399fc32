#!/usr/bin/env bash
# Checks the deployment files against their schemas and tools: Kubernetes, Compose, systemd. Takes seconds.
#
#   check.sh INTENTD
set -euo pipefail
intentd="$(realpath "$1")"
cd "$(dirname "$0")/../.."
python="$(Tests/Judges/python.sh)"

"$python" Tests/Packaging/manifests.py --intentd "$intentd"

"$intentd" --version | grep -Eqx 'intentd [0-9.]+, commit [0-9a-z]+' || { echo "--version names no commit" >&2; exit 1; }
"$intentd" --version | grep -Eqx 'librdkafka [0-9.]+, SQLite [0-9.]+, libcrypto [0-9.]+, libcurl [0-9.]+, jemalloc [0-9.]+' \
    || { echo "--version names no libraries" >&2; exit 1; }

# Sorted, so that the lists that the Dockerfile, the tarball and the tests read have no duplicates.
for list in config/packages/*.txt; do LC_ALL=C sort -cu "$list"; done

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# As it would be installed, but for where the program is.
for role in resolve confirm handle record; do
    sed "s|/usr/local/bin/intentd|$intentd|" config/systemd/intentd@.service > "$work/intentd@$role.service"
    # Prometheus finds each worker at its own port.
    port="$(sed -n 's/^INTENTD_MONITORING_LISTEN=127.0.0.1://p' config/systemd/workers/$role)"
    grep -qF "localhost:$port\"], labels: {worker: $role}" config/prometheus/prometheus.yaml \
        || { echo "prometheus.yaml does not scrape $role at port $port" >&2; exit 1; }
done
sed "s|/usr/local/bin/intentd|$intentd|" config/systemd/intentd-gateway.service > "$work/intentd-gateway.service"
verify() { systemd-analyze verify --man=no "$work"/intentd*.service 2>&1 | grep "^$work\|intentd[@-]" || true; }
if command -v systemd-analyze >/dev/null; then
    said="$(verify)"
    [ -z "$said" ] || { echo "$said" >&2; exit 1; }
    for unit in intentd@record intentd-gateway; do
        systemd-analyze security --offline=true --threshold=20 --no-pager "$work/$unit.service" > "$work/exposure" \
            || { tail -n 1 "$work/exposure" >&2; exit 1; }
        tail -n 1 "$work/exposure"
    done
    sed -i 's/^NoNewPrivileges/NoNewPrivilege/' "$work/intentd@record.service"
    [ -n "$(verify)" ] || { echo "systemd-analyze lets a doctored unit pass" >&2; exit 1; }
else
    echo "there is no systemd here: its unit was not checked"
fi
