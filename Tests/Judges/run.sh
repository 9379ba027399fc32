#!/usr/bin/env bash
# Outside clients judge the broker and the pipeline: kcat, confluent-kafka, aiokafka, kafka-python. A client that is
# missing is a failure.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v kcat >/dev/null || { echo "kcat is missing: apt-get install kcat" >&2; exit 1; }
venv=.build/judges
if ! [ -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
fi
"$venv/bin/pip" install --quiet --disable-pip-version-check -r Tests/Judges/requirements.txt

swift build -j 2 --product intentd
intentd="$(swift build --show-bin-path)/intentd"
"$venv/bin/python" Tests/Judges/judge.py --broker-command "$intentd broker --listen 127.0.0.1:PORT --data DIR"
"$venv/bin/python" Tests/Judges/pipeline.py --intentd "$intentd"
if [ -n "${INTENTD_TEST_BROKERS:-}" ]; then
    "$venv/bin/python" Tests/Judges/judge.py "$INTENTD_TEST_BROKERS"
    "$venv/bin/python" Tests/Judges/pipeline.py --intentd "$intentd" --brokers "$INTENTD_TEST_BROKERS"
fi
