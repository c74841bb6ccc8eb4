#!/bin/sh
# Runs a command of the build that downloads. With the build secret `ca`, npm and pnpm trust its certificates as well.
set -eu
if [ -s /run/secrets/ca ]; then
  export NODE_EXTRA_CA_CERTS=/run/secrets/ca NPM_CONFIG_CAFILE=/run/secrets/ca SSL_CERT_FILE=/run/secrets/ca
fi
exec "$@"
