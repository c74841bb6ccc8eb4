# syntax=docker/dockerfile:1
# One image per target: gateway, extraction, persistence, tom-insight, consolidation-worker, migrate. They share every layer but the last.
ARG NODE_IMAGE=node:24.21.0-trixie-slim

FROM ${NODE_IMAGE} AS base
ENV CI=true
RUN npm install --global pnpm@12.21.0
WORKDIR /app
# Only the lockfile decides what is downloaded: this layer stays cached when only source code changes.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch

FROM base AS build
COPY . .
RUN pnpm install --frozen-lockfile --offline --ignore-scripts
RUN ./node_modules/.bin/tsc -b libs/storage apps/gateway apps/extraction apps/persistence apps/tom-insight \
    apps/consolidation-worker apps/doctor \
  && mkdir /compiled && cp --parents -r libs/*/dist apps/*/dist /compiled \
  && find /compiled \( -name '.tsbuildinfo' -o -name '*.d.ts' \) -delete

FROM base AS manifests
COPY . .
RUN mkdir /manifests && cp --parents package.json */*/package.json /manifests

FROM base AS dependencies
# Manifests only: a change of source code does not reinstall the dependencies.
COPY --from=manifests /manifests ./
RUN pnpm install --prod --frozen-lockfile --offline --ignore-scripts \
  --filter '@annals/gateway...' --filter '@annals/extraction...' --filter '@annals/persistence...' \
  --filter '@annals/tom-insight...' --filter '@annals/consolidation-worker...' --filter '@annals/doctor...'

FROM ${NODE_IMAGE} AS runtime
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app ./
COPY --from=build /compiled ./
COPY infra/docker/entrypoint.sh infra/docker/healthcheck.mjs ./
USER node
ENTRYPOINT ["/app/entrypoint.sh"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/app/healthcheck.mjs"]

FROM runtime AS migrate
HEALTHCHECK NONE
CMD ["libs/storage/dist/cli/migrate.js"]

FROM runtime AS extraction
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HEALTH_PORT=8081
EXPOSE 8081
CMD ["apps/extraction/dist/main.js"]

FROM runtime AS persistence
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HEALTH_PORT=8081
EXPOSE 8081
CMD ["apps/persistence/dist/main.js"]

FROM runtime AS tom-insight
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HEALTH_PORT=8081
EXPOSE 8081
CMD ["apps/tom-insight/dist/main.js"]

FROM runtime AS consolidation-worker
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HEALTH_PORT=8081
EXPOSE 8081
CMD ["apps/consolidation-worker/dist/main.js"]

FROM runtime AS gateway
ENV ANNALS_HTTP_HOST=0.0.0.0 ANNALS_HTTP_PORT=8080
EXPOSE 8080
CMD ["apps/gateway/dist/main.js"]
