#!/usr/bin/env bash
# Books a table with nothing but kcat: book.sh BROKERS [PREFIX]
set -euo pipefail
brokers=$1
prefix=${2:-intents}
user=bob-$$-$RANDOM
interaction=dinner-$$-$RANDOM

send() { # type, JSON on one line
    kcat -q -b "$brokers" -P -t "$prefix.requests" -k "$user" -X topic.partitioner=murmur2 \
        -H "ce_type=$1" -H "ce_userid=$user" -H "ce_subject=$interaction" <<<"$2"
}

receive() { # waits for the event of this interaction that matches, and prints its data
    for _ in $(seq 120); do
        kcat -q -b "$brokers" -C -t "$prefix.responses" -e -X isolation.level=read_committed -f '%h %s\n' |
            grep -F "ce_subject=$interaction," | grep -o '{.*' | grep "$1" && return
        sleep 0.5
    done
    echo "nothing like $1 came" >&2
    return 1
}

send intent.requested "$(printf '{"user": {"id": "%s"}, "intent": {"name": "BookRestaurantTable", "parameters": %s}}' \
    "$user" '{"restaurant": "Old Mill", "date": "2026-12-03"}')"
receive '"parameter":"time"'

send prompt.answered "$(printf '{"user": {"id": "%s"}, "promptId": "%s/r/1", "value": "19:30"}' "$user" "$interaction")"
receive '"kind":"intentConfirmation"'

send prompt.answered "$(printf '{"user": {"id": "%s"}, "promptId": "%s/c/2"}' "$user" "$interaction")"
receive '"terminal":true' | grep '"status":"success"'
