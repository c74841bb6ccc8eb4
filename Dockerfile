# One image per target: gateway, extraction, persistence, tom-insight, consolidation-worker, migrate. They share every layer but their own last ones.
ARG NODE_IMAGE=node:24.21.0-trixie-slim

FROM ${NODE_IMAGE} AS base
ENV CI=true
# Behind a private certificate authority, its certificate is the build secret `ca`: docs/operating.md#private-certificate-authorities.
COPY infra/docker/with-ca.sh /usr/local/bin/with-ca
RUN --mount=type=secret,id=ca with-ca npm install --global pnpm@12.21.0
WORKDIR /fetched
# Only the lockfile decides what is downloaded: this layer stays cached when only source code changes.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN --mount=type=secret,id=ca with-ca pnpm fetch

FROM base AS manifests
COPY . /sources
WORKDIR /sources
RUN mkdir /manifests && cp --parents package.json pnpm-lock.yaml pnpm-workspace.yaml */*/package.json /manifests

FROM base AS build
WORKDIR /app
# Manifests only: a change of source code does not reinstall the dependencies.
COPY --from=manifests /manifests ./
RUN pnpm install --frozen-lockfile --offline --ignore-scripts
COPY tsconfig.base.json ./
COPY libs libs
COPY apps apps
COPY packages/sdk packages/sdk
COPY scripts/build/bundle-services.mjs scripts/build/bundle-console.mjs scripts/build/
RUN ./node_modules/.bin/tsc -b libs/storage apps/gateway apps/extraction apps/persistence apps/tom-insight \
    apps/consolidation-worker apps/doctor \
  && node scripts/build/bundle-services.mjs \
  && node scripts/build/bundle-console.mjs
COPY scripts/build scripts/build
# What the programs load, and nothing else: no development tools, no embedded database.
RUN node scripts/build/collect-runtime.mjs /runtime

# The file system of the images: Debian with Node, without what installs software. A package that is not there needs no update.
FROM ${NODE_IMAGE} AS system
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /usr/local/share/doc /usr/local/share/man /opt/yarn* \
    /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
  && dpkg --purge --force-remove-essential --force-remove-protected --force-depends \
    $(dpkg-query --show --showformat '${db:Status-Abbrev}${Package}\n' apt 'libapt-pkg*' sqv debconf perl-base 2>/dev/null | sed -n 's/^ii *//p') \
  && rm -rf /var/cache/debconf /var/cache/apt /var/lib/apt /etc/apt /usr/share/perl* /root/.npm /tmp/*

FROM system AS system-packages
RUN dpkg-query --show --showformat '${Package} ${Version} ${Architecture}\n' > /debian-packages

# For the image that writes the vault: one program of Debian, whose commands are all built in, as scanners look for it, and the
# folder for a volume. Its libraries are in every image. apt checks signatures, so that no certificate matters.
FROM ${NODE_IMAGE} AS git
RUN apt-get update && apt-get install --yes --no-install-recommends git \
  && mkdir --parents /git/usr/bin /git/var/lib/dpkg/status.d /vault \
  && cp /usr/bin/git /git/usr/bin/git \
  && dpkg-query --status git > /git/var/lib/dpkg/status.d/git \
  && dpkg-query --show --showformat '${Package} ${Version} ${Architecture}\n' git > /git-package

FROM build AS sbom
COPY --from=system-packages /debian-packages /debian-packages
RUN pnpm sbom --sbom-format cyclonedx --sbom-type application --prod --out /dependencies.json \
    --filter '@annals/gateway...' --filter '@annals/extraction...' --filter '@annals/persistence...' \
    --filter '@annals/tom-insight...' --filter '@annals/consolidation-worker...' --filter '@annals/doctor...' \
  && node scripts/build/write-sbom.mjs /dependencies.json /runtime /debian-packages /sbom.cdx.json

FROM sbom AS sbom-with-git
COPY --from=git /git-package /git-package
RUN cat /git-package >> /debian-packages \
  && node scripts/build/write-sbom.mjs /dependencies.json /runtime /debian-packages /sbom.cdx.json

FROM scratch AS runtime
COPY --from=system / /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_ENV=production
WORKDIR /app
COPY --from=build /runtime ./
COPY --from=sbom /sbom.cdx.json ./
COPY infra/docker/entrypoint.sh infra/docker/healthcheck.mjs ./
# By number: Kubernetes cannot tell from a name that it is not root.
USER 1000:1000
ENTRYPOINT ["/app/entrypoint.sh"]
HEALTHCHECK --interval=10s --timeout=30s --start-period=120s --retries=3 CMD ["node", "/app/healthcheck.mjs"]
ARG VERSION=0.1.0
ARG REVISION=
ARG SOURCE=
LABEL org.opencontainers.image.vendor="Annals" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.source="${SOURCE}"

FROM runtime AS migrate
LABEL org.opencontainers.image.title="Annals migrate" \
  org.opencontainers.image.description="Prepares the database of Annals: schema, role, first keys"
COPY --from=build /app/libs/storage/dist/cli/bundle libs/storage/dist/cli/bundle/
HEALTHCHECK NONE
CMD ["libs/storage/dist/cli/migrate.js"]

FROM runtime AS extraction
LABEL org.opencontainers.image.title="Annals extraction" \
  org.opencontainers.image.description="Extracts memories from conversations"
COPY --from=build /app/apps/extraction/dist/bundle apps/extraction/dist/bundle/
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HEALTH_PORT=8081
EXPOSE 8081
CMD ["apps/extraction/dist/main.js"]

FROM runtime AS persistence
LABEL org.opencontainers.image.title="Annals persistence" \
  org.opencontainers.image.description="Writes extracted memories and maintains them"
COPY --from=build /app/apps/persistence/dist/bundle apps/persistence/dist/bundle/
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HEALTH_PORT=8081
EXPOSE 8081
CMD ["apps/persistence/dist/main.js"]

FROM runtime AS tom-insight
LABEL org.opencontainers.image.title="Annals tom-insight" \
  org.opencontainers.image.description="Infers insights about people in the background"
COPY --from=build /app/apps/tom-insight/dist/bundle apps/tom-insight/dist/bundle/
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HEALTH_PORT=8081
EXPOSE 8081
CMD ["apps/tom-insight/dist/main.js"]

FROM runtime AS consolidation-worker
LABEL org.opencontainers.image.title="Annals consolidation-worker" \
  org.opencontainers.image.description="Consolidates and summarises memories in the background, and writes the vault"
COPY --from=git /git /
COPY --from=git --chown=1000:1000 /vault /var/lib/annals/vault/
COPY --from=sbom-with-git /sbom.cdx.json ./
COPY --from=build /app/apps/consolidation-worker/dist/bundle apps/consolidation-worker/dist/bundle/
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HEALTH_PORT=8081
EXPOSE 8081
CMD ["apps/consolidation-worker/dist/main.js"]

FROM runtime AS gateway
LABEL org.opencontainers.image.title="Annals gateway" \
  org.opencontainers.image.description="REST API of Annals: accepts conversations, answers queries"
COPY --from=build /app/apps/gateway/dist/bundle apps/gateway/dist/bundle/
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HTTP_PORT=8080
EXPOSE 8080
CMD ["apps/gateway/dist/main.js"]
