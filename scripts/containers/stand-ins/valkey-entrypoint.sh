#!/bin/sh
# What docker-compose.yml needs of the start script of the official image: the server runs as its own user.
set -eu
if [ "$1" = valkey-server ] && [ "$(id -u)" = 0 ]; then
  chown -R valkey /data
  exec setpriv --reuid=valkey --regid=valkey --init-groups "$0" "$@"
fi
exec "$@"
