#!/usr/bin/env bash
# Boots systemd in the root file system that rootfs.sh has kept in DIRECTORY, and runs the unit there unchanged: a request
# is answered and recorded, a killed worker comes back, all workers leave in order. Needs root and systemd-nspawn
# (Debian: systemd-container).
#
#   systemd.sh DIRECTORY
set -euo pipefail
repository="$(cd "$(dirname "$0")/../.." && pwd)"
kept="$(realpath "$1")/root"

work="$(mktemp -d /tmp/intentd-systemd-XXXXXX)"
trap 'rm -rf "$work"' EXIT
root="$work/root"
cp -a "$kept" "$root"
cp /etc/resolv.conf "$root/etc/"
chroot "$root" sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends systemd systemd-sysv iproute2' \
    > "$work/apt.log" 2>&1 || { tail "$work/apt.log" >&2; exit 1; }

install -m 0644 "$repository/config/systemd/intentd.conf" "$root/usr/lib/sysusers.d/"
install -m 0644 "$repository/config/systemd/intentd@.service" "$root/etc/systemd/system/"
install -D -m 0644 -t "$root/etc/intentd/workers" "$repository"/config/systemd/workers/*
echo 'brokers: [127.0.0.1:9092]' > "$root/etc/intentd/config/intentd.yaml"
# In place of Kafka.
cat > "$root/etc/systemd/system/broker.service" <<'END'
[Service]
ExecStart=/usr/local/bin/intentd broker --listen 127.0.0.1:9092 --data /var/lib/broker
StateDirectory=broker
END
cat > "$root/etc/systemd/system/trial.service" <<'END'
[Service]
Type=oneshot
WorkingDirectory=/etc/intentd
ExecStart=/bin/bash /trial.sh
ExecStopPost=/bin/systemctl poweroff --force
StandardOutput=append:/trial.log
StandardError=append:/trial.log
[Install]
WantedBy=multi-user.target
END
cat > "$root/trial.sh" <<'END'
set -euo pipefail
until_it_works() { for _ in $(seq 60); do "$@" > /dev/null 2>&1 && return; sleep 0.5; done; echo "failed: $*"; exit 1; }
ip link set lo up
systemd-sysusers
systemctl start broker
until_it_works intentd topics create
units=(intentd@resolve intentd@confirm intentd@handle intentd@record)
systemctl start "${units[@]}"
conversation() {
    printf '%s\n' '{"type":"intent.requested","subject":"'$1'","data":{"intent":{"name":"BookRestaurantTable","parameters":
        {"restaurant":"Old Mill","date":"2026-12-03","time":"19:30"}},"user":{"id":"ada"}}}' | tr -d '\n' > /tmp/$1
    printf '\n%s\n' '{"type":"prompt.answered","data":{"user":{"id":"ada"},"promptId":"'$1'/c/1","action":"accept"}}' >> /tmp/$1
    intentd produce /tmp/$1
    recorded() { intentd list --data /var/lib/intentd | grep "$1 .*success"; }
    until_it_works recorded $1
    recorded $1
}
conversation dinner-1
# Each worker is where Prometheus looks for it, and all of them and their groups are found.
for port in 9464 9466 9467 9468; do until_it_works intentd status "127.0.0.1:$port"; done
until_it_works intentd status --data /var/lib/intentd
grep -h -E '^(NoNewPrivs|Seccomp|CapBnd|Uid):' "/proc/$(systemctl show -P MainPID intentd@handle)/status"
systemctl kill -s KILL intentd@handle
conversation dinner-2
[ "$(systemctl show -P NRestarts intentd@handle)" = 1 ]
systemctl restart "${units[@]}"
conversation dinner-3
[ -z "$(journalctl --no-pager -q -u 'intentd@*' -g 'status=31/SYS')" ]
systemctl stop "${units[@]}"
for unit in "${units[@]}"; do
    [ "$(systemctl show -P Result "$unit")" = success ] && [ "$(systemctl show -P ExecMainStatus "$unit")" = 0 ]
    echo "$unit left with 0"
done
echo "all holds"
END
chroot "$root" systemctl -q enable trial.service
timeout 300 systemd-nspawn -q -D "$root" --boot --register=no --keep-unit --private-network --console=pipe \
    > "$work/console.log" 2>&1 || true
cat "$root/trial.log"
tail -n 1 "$root/trial.log" | grep -qx "all holds" || { tail "$work/console.log" >&2; exit 1; }
