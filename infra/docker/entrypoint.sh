#!/bin/sh
# Runs one service as the container's main process. Tracing hooks into modules as they load, so it comes first, and only
# when an exporter is configured; without it the program's bundle is run, which starts in half the time
# (docs/decisions/0062-services-start-from-bundles.md).
set -eu
exporter="${OTEL_EXPORTER_OTLP_ENDPOINT:-}${OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:-}"
bundle="${1%/*}/bundle/${1##*/}"
if [ -n "$exporter" ]; then
  set -- --import /app/libs/observability/dist/otel.js "$@"
elif [ -f "$bundle" ]; then
  shift
  set -- "$bundle" "$@"
fi
exec node --enable-source-maps "$@"
