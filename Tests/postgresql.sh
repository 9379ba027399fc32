#!/usr/bin/env bash
# A PostgreSQL cluster for tests: in a directory of its own, as an unprivileged user, on a free port of the loopback
# interface (or HOST's, for the network that it is in) and a socket in the directory.
#
#   postgresql.sh start DIRECTORY [HOST]   makes it where there is none, starts it, and prints its address
#   postgresql.sh stop DIRECTORY [MODE]   MODE as pg_ctl's: fast (default), smart, immediate (as a crash)
set -euo pipefail

directory=$(realpath -m "$2")
data="$directory/data"
bin=$({ find /usr/lib/postgresql -maxdepth 3 -name initdb 2>/dev/null || true; } | sort -V | tail -n 1)
[ -n "$bin" ] || { echo "There is no initdb: install postgresql." >&2; exit 69; }
bin=$(dirname "$bin")

# The server refuses to run as root.
as_nobody=()
[ "$(id -u)" -ne 0 ] || as_nobody=(setpriv --reuid=nobody --regid=nogroup --clear-groups)

# The server outlives this script: it must not keep open what its caller, or another program's start beside it, waits for.
close_inherited() {
    local place number
    for place in "/proc/$BASHPID/fd/"*; do
        number=${place##*/}
        if [ "$number" -gt 2 ] && [ "$number" -ne 255 ]; then eval "exec $number>&-"; fi
    done
}

case "$1" in
start)
    if [ ! -e "$directory/address" ]; then
        host=${3:-127.0.0.1}
        mkdir -p "$directory"
        chmod 0755 "$directory"
        password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
        port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
        (umask 077 && echo "*:*:*:postgres:$password" > "$directory/pgpass" && echo "$password" > "$directory/password")
        [ "$(id -u)" -ne 0 ] || chown nobody:nogroup "$directory" "$directory/password"
        (cd "$directory" && "${as_nobody[@]}" "$bin/initdb" -D "$data" -U postgres --encoding=UTF8 --locale=C \
            --auth=scram-sha-256 --pwfile="$directory/password" --no-instructions > "$directory/log" 2>&1)
        rm "$directory/password"
        cat >> "$data/postgresql.conf" <<END
listen_addresses = '$host'
port = $port
unix_socket_directories = '$directory'
max_connections = 200
shared_buffers = 32MB
END
        [ "$host" = 127.0.0.1 ] || echo "host all all samenet scram-sha-256" >> "$data/pg_hba.conf"
        echo "postgresql://postgres@$host:$port/postgres?passfile=$directory/pgpass" > "$directory/address"
    fi
    (close_inherited && cd "$directory" \
        && "${as_nobody[@]}" "$bin/pg_ctl" -D "$data" -l "$directory/server.log" -w -s start) >> "$directory/log" 2>&1 < /dev/null \
        || { tail "$directory/log" "$directory/server.log" >&2; exit 69; }
    cat "$directory/address"
    ;;
stop)
    (cd "$directory" && "${as_nobody[@]}" "$bin/pg_ctl" -D "$data" -m "${3:-fast}" -w -s stop) >&2
    ;;
*)
    echo "postgresql.sh start|stop DIRECTORY" >&2
    exit 64
    ;;
esac
