# The image of intentd: the program, the libraries that it loads, and nothing else that a Debian does not have anyway.
#
# It has not been built: there was no Docker engine where it was written. Tests/Packaging/rootfs.sh makes a root file
# system from the same lists of packages and runs intentd in it, read-only and as nobody.
#
#   docker build --build-arg SOURCE_COMMIT="$(git rev-parse --short=12 HEAD)" -t intentd:local .
#   docker run --rm --read-only --tmpfs /tmp --cap-drop ALL intentd:local demo
#   docker run --read-only --tmpfs /tmp -v intentd:/data --name intentd intentd:local up

FROM swift:6.3-bookworm AS build
COPY config/packages/build.txt /tmp/packages.txt
RUN apt-get update \
    && xargs apt-get install -y --no-install-recommends < /tmp/packages.txt \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift ./
COPY Sources ./Sources
# Nothing of the tests is built, but the manifest names their folders.
COPY Tests ./Tests
ARG SOURCE_COMMIT=unknown
RUN swift build -c release --product intentd --static-swift-stdlib \
    && install -s "$(swift build -c release --show-bin-path --static-swift-stdlib)/intentd" /usr/local/bin/intentd

FROM debian:bookworm-slim
COPY config/packages/runtime.txt /tmp/packages.txt
RUN apt-get update \
    && xargs apt-get install -y --no-install-recommends < /tmp/packages.txt \
    && rm -rf /var/lib/apt/lists/* /tmp/packages.txt \
    && install -d -o nobody -g nogroup -m 0700 /data \
    && install -d /etc/intentd
COPY --from=build /usr/local/bin/intentd /usr/local/bin/intentd
# By number, so that Kubernetes can see that it is not root.
USER 65534:65534
# Where config/intentd.yaml, config/intents, config/prompts and config/vocabularies are looked for.
WORKDIR /etc/intentd
ENV INTENTD_DATA=/data
# All that is kept. Beside it only /tmp is written to, by `demo`, `test` and large sorts of SQLite's.
VOLUME /data
# The worker does what it is there for: lanes, broker and store (`/readyz`). For others than `up` and `work` switch it off.
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s --retries=3 CMD ["intentd", "status"]
# Finishes its batches and leaves. `docker stop` kills after 10 s unless it is given --time 30.
STOPSIGNAL SIGTERM
ENTRYPOINT ["intentd"]
CMD ["--help"]
