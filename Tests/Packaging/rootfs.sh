#!/usr/bin/env bash
# Tests the image's content without a container engine: creates a root file system from the list of packages that the
# Dockerfile reads, and runs intentd in it as the image would, read-only and as nobody. Needs root, debootstrap and
# iproute2.
#
#   rootfs.sh BINARY [DIRECTORY]
#
# BINARY is the result of `config/optimized.sh --traits PostgreSQL`. In DIRECTORY, if one is named, the root file system
# is kept for the next run.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
repository="$(cd "$here/../.." && pwd)"
binary="$(realpath "$1")"

work="$(mktemp -d /tmp/intentd-rootfs-XXXXXX)"
root="$(realpath -m "${2:-$work}")/root"
network="intentd-$$"
containers=()
finish() {
    for container in "${containers[@]}"; do kill -KILL "$container" 2>/dev/null || true; done
    ip netns delete "$network" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
say() { printf '\n== %s\n' "$*"; }
fail() {
    printf '\nFAILED: %s\n' "$*" >&2
    tail -n 20 "$work"/*.log >&2 || true
    exit 1
}

mapfile -t packages < "$repository/config/packages/runtime.txt"
list="$(IFS=,; echo "${packages[*]}")"
if [ "$(cat "$root/../packages" 2>/dev/null)" != "$list" ]; then
    say "debootstrap: $list"
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include="$list" bookworm "$root" http://deb.debian.org/debian > "$work/debootstrap.log" \
        || fail "debootstrap has failed"
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
    install -d "$root/etc/intentd"
    install -d -o 65534 -g 65534 -m 0700 "$root/data"
    echo "$list" > "$root/../packages"
fi
rm -rf "$root/etc/intentd/config"
cp -r "$repository/config" "$root/etc/intentd/config"
install -s -m 0755 "$binary" "$root/usr/local/bin/intentd"

say "what is in it"
chroot "$root" dpkg-query -W -f '${Package} ${Version}\n' > "$work/installed"
echo "$(wc -l < "$work/installed") packages; of the list:"
for package in "${packages[@]}"; do
    grep "^$package " "$work/installed" || fail "$package is not in it"
done
du -sh --apparent-size "$root/usr/local/bin/intentd"
du -sh --apparent-size "$root"
unfound="$(chroot "$root" ldd /usr/local/bin/intentd | grep 'not found' || true)"
[ -z "$unfound" ] || fail "libraries are missing: $unfound"
# Each library that the program names comes from a package of the list, not from what another one happens to need.
for library in $(objdump -p "$binary" | awk '$1 == "NEEDED" { print $2 }'); do
    path="$(chroot "$root" ldd /usr/local/bin/intentd | awk -v name="$library" '
        { sub(/.*\//, "", $1) } $1 == name { print $3 ~ /^\// ? $3 : "/lib64/" name }')"
    # The package's list has a file under /lib or /usr/lib, which are one, and a link or what it leads to.
    package="$({ chroot "$root" dpkg-query -S "$path" "$(chroot "$root" realpath "$path")" 2>/dev/null || true; } \
        | head -n 1 | cut -d: -f1)"
    printf '%s: %s\n' "$library" "$package"
    [[ " ${packages[*]} " == *" $package "* ]] || fail "$library is of $package, which the list does not name"
done

# A network of its own with a loopback and nothing else, which all containers share.
ip netns add "$network"
ip -n "$network" link set lo up

# container NAME DATA COMMAND…: runs it in the foreground.
container() {
    local name=$1 data="$work/data-$2"
    shift 2
    [ -d "$data" ] || install -d -o 65534 -g 65534 -m 0700 "$data"
    ip netns exec "$network" unshare --mount --pid --fork --kill-child --uts --ipc \
        "$here/enter.sh" "$root" "$data" "$name" "$@"
}
# start NAME DATA COMMAND…: runs it in the background; what it says is in NAME.log.
start() {
    container "$@" > "$work/$1.log" 2>&1 &
    containers+=($!)
    eval "$1=$!"
}
# The process that is 1 in the container which runs as a child of this one.
first() {
    local process=$1 child
    while child="$(pgrep -P "$process")"; do
        [ "$(readlink "/proc/$child/ns/pid")" = "$(readlink /proc/self/ns/pid)" ] || { echo "$child"; return; }
        process=$child
    done
    fail "no container runs under $1"
}
# stop NAME: SIGTERM to its process 1, which has to leave with 0 within 30 s.
stop() {
    local pid=${!1} status=0
    kill -TERM "$(first "$pid")"
    timeout 30 tail --pid="$pid" -f /dev/null || fail "$1 has not left 30 s after SIGTERM"
    wait "$pid" || status=$?
    [ "$status" = 0 ] || fail "$1 left with $status after SIGTERM"
    echo "$1 left with 0"
}
# until_it_works WHAT COMMAND…
until_it_works() {
    local what=$1
    shift
    for _ in $(seq 120); do "$@" > /dev/null 2>&1 && return; sleep 0.5; done
    fail "$what after 60 s"
}

say "version"
container version none intentd --version | tee "$work/version.log"
grep -Eq '^librdkafka [0-9.]+, SQLite [0-9.]+, libcrypto [0-9.]+, libcurl [0-9.]+, jemalloc [0-9.]+$' "$work/version.log" \
    || fail "--version names no libraries"

say "nobody, and nothing to write to"
container checks none sh -c '
    test "$(id -u):$(id -g)" = 65534:65534 && test $$ = 1 || exit 1
    grep -q "^CapBnd:.0000000000000000$" /proc/self/status && grep -q "^NoNewPrivs:.1$" /proc/self/status || exit 2
    for place in / /etc/intentd /usr/local/bin /var /home /dev; do
        if touch $place/x 2>/dev/null; then echo "$place can be written to"; exit 3; fi
    done
    touch /data/x /tmp/x && rm /data/x' || fail "it is not closed ($?)"
echo "uid 65534, process 1, no capabilities; only /data and /tmp are written to"

say "demo"
container demo none intentd demo > "$work/demo.log" 2>&1 || fail "demo left with $?"
tail -n 3 "$work/demo.log"

say "up, with a conversation"
# What the Dockerfile's HEALTHCHECK says.
mapfile -t health < <(sed -n 's/^HEALTHCHECK .* CMD \[\("intentd", .*\)\]$/\1/p' "$repository/config/Dockerfile" \
    | tr -d '" ' | tr ',' '\n')
[ "${health[0]:-}" = intentd ] || fail "the Dockerfile has no HEALTHCHECK"
if container health up "${health[@]}" > /dev/null 2>&1; then fail "the health check holds although nothing runs"; fi
start up up intentd up --demo-user me
until_it_works "the health check does not hold" container health up "${health[@]}"
printf '3 December\n7:30pm\nyes\n' \
    | container ask up intentd ask BookRestaurantTable 'restaurant=Old Mill' 2>&1 | tee "$work/ask.log"
grep -q 'success' "$work/ask.log" || fail "the conversation had no success"
recorded() { container list up intentd list | grep 'BookRestaurantTable *success'; }
until_it_works "the conversation was not recorded" recorded
recorded
stop up

address=127.0.0.1:9092
start broker broker intentd broker --listen "$address"
# workers DIRECTORY…: starts one container for each stage and the recorder, on the directories of these names.
roles=(resolve confirm handle record)
workers() {
    local role
    for role in "${roles[@]}"; do
        start "$role" "$1" env "${settings[@]}" intentd work "$role" --name "intentd-$role-0"
        shift
    done
}
# conversation NAME DIRECTORY: a request and its confirmation, until it is answered and recorded there; then all leave.
conversation() {
    local name=$1 directory=$2 role
    printf '%s\n' "{\"type\":\"intent.requested\",\"subject\":\"$name\",\"data\":{\"intent\":{\"name\":\
\"BookRestaurantTable\",\"parameters\":{\"restaurant\":\"Old Mill\",\"date\":\"2026-12-03\",\"time\":\"19:30\"}},\
\"user\":{\"id\":\"ada\"}}}" \
        "{\"type\":\"prompt.answered\",\"data\":{\"user\":{\"id\":\"ada\"},\"promptId\":\"$name/c/1\",\"action\":\"accept\"}}" \
        | container produce none env "${settings[@]}" intentd produce -
    answered() {
        container tail none env "${settings[@]}" intentd tail responses --from-beginning --until-end \
            | grep "$name *intent.responded *handle success"
    }
    recorded() { container list "$directory" env "${settings[@]}" intentd list | grep "$name .*success"; }
    until_it_works "$name was not answered" answered
    answered
    until_it_works "$name was not recorded" recorded
    container health none env "${settings[@]}" "${health[@]}" > "$work/health.log" || fail "the health check does not hold"
    for role in "${roles[@]}"; do stop "$role"; done
}

say "work, one container for each stage and the recorder; they share a data directory"
settings=(INTENTD_BROKERS="$address")
until_it_works "topics cannot be made" container topics none env "${settings[@]}" intentd topics create
workers shared shared shared shared
conversation dinner-1 shared

say "the same workers again, under their names"
workers shared shared shared shared
conversation dinner-2 shared
grep -h "Partitions assigned" "$work"/{resolve,confirm,handle}.log

say "work without a ledger, each with a data directory of its own, as on several machines"
settings=(INTENTD_BROKERS="$address" INTENTD_PREFIX=spread INTENTD_LEDGER=none)
container topics none env "${settings[@]}" intentd topics create > "$work/topics.log" || fail "topics cannot be made"
workers resolve confirm handle record
conversation dinner-3 record
stop broker

say "all holds"
