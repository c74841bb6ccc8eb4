#!/bin/sh
# Runs one service as the container's main process. Tracing hooks into modules as they load, so it comes first, and only
# when an exporter is configured.
set -eu
exporter="${OTEL_EXPORTER_OTLP_ENDPOINT:-}${OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:-}"
[ -z "$exporter" ] || set -- --import /app/libs/observability/dist/otel.js "$@"
exec node --enable-source-maps "$@"
