import { defineFragment } from '../fragment.js';
import { addresses, flag, integer, oneOf, optional, pattern, singleLine, url, withDefault } from '../variable.js';

export const http = defineFragment({
  title: 'HTTP server',
  variables: {
    ANNALS_HTTP_HOST: withDefault(singleLine('a host name or an address'), '127.0.0.1', {
      description: 'Address the server listens on. `0.0.0.0` makes it reachable from other machines.',
    }),
    ANNALS_HTTP_PORT: withDefault(integer(0, 65_535), '8080', {
      description: 'Port the server listens on. `0` picks a free port.',
    }),
    ANNALS_DOCS: withDefault(flag(), 'true', { description: 'Whether `/docs` and `/openapi.json` are served.' }),
  },
  build: (values) => ({
    host: values.ANNALS_HTTP_HOST,
    port: values.ANNALS_HTTP_PORT,
    docs: values.ANNALS_DOCS,
  }),
});

export const limits = defineFragment({
  title: 'Limits on requests',
  variables: {
    ANNALS_RATE_LIMIT_PER_MINUTE: withDefault(integer(1, 100_000_000), '60000', {
      description: 'Requests that one API key may send to one gateway process; more are rejected with 429.',
      unit: 'requests per minute',
    }),
    ANNALS_BODY_LIMIT_BYTES: withDefault(integer(1_024, 104_857_600), '1048576', {
      description: 'Maximum size of a request body; a larger one is rejected with 413.',
      unit: 'bytes',
    }),
    ANNALS_TRUSTED_PROXIES: optional(addresses(), 'a caller’s address is the one it connects from', {
      description:
        'Proxies in front of the gateway whose `X-Forwarded-For` header is trusted. Behind a proxy that is not listed, all callers share one limit on invalid keys.',
    }),
  },
  build: (values) => ({
    requestsPerMinute: values.ANNALS_RATE_LIMIT_PER_MINUTE,
    bodyBytes: values.ANNALS_BODY_LIMIT_BYTES,
    trustedProxies: values.ANNALS_TRUSTED_PROXIES ?? [],
  }),
});

export const logging = defineFragment({
  title: 'Logs',
  variables: {
    ANNALS_LOG_LEVEL: withDefault(oneOf(['debug', 'info', 'warn', 'error']), 'info', {
      description: 'Lowest level that is logged.',
    }),
  },
  build: (values) => ({ level: values.ANNALS_LOG_LEVEL }),
});

export const telemetry = defineFragment({
  title: 'Traces',
  variables: {
    OTEL_EXPORTER_OTLP_ENDPOINT: optional(
      url('an http or https URL', ['http:', 'https:']),
      'no traces, unless `OTEL_TRACES_EXPORTER` is set',
      { description: 'OpenTelemetry collector that receives the traces, over OTLP/HTTP.' },
    ),
    OTEL_TRACES_EXPORTER: optional(oneOf(['otlp', 'console', 'none']), 'traces go to the OTLP endpoint if one is set', {
      description: 'Where traces are exported to; `none` disables them.',
    }),
    OTEL_SERVICE_NAME: optional(
      pattern('a name of letters, digits, `.`, `_` and `-`', /^[\w.-]{1,100}$/),
      'the name of the package, `annals-gateway` for example',
      {
        description: 'Name of this process in traces.',
      },
    ),
  },
  build: (values) => ({
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    tracesExporter: values.OTEL_TRACES_EXPORTER,
    serviceName: values.OTEL_SERVICE_NAME,
  }),
});

export const lifecycle = defineFragment({
  title: 'Start and stop',
  variables: {
    ANNALS_SHUTDOWN_TIMEOUT_MS: withDefault(integer(100, 600_000), '25000', {
      description:
        'Maximum time in which a process finishes running work before it exits. Set it below the grace period of its host (Kubernetes: 30 s).',
      unit: 'ms',
    }),
  },
  build: (values) => ({ shutdownTimeoutMs: values.ANNALS_SHUTDOWN_TIMEOUT_MS }),
});
