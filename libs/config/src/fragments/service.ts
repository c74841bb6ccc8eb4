import { defineFragment } from '../fragment.js';
import {
  addresses,
  flag,
  hostNames,
  integer,
  oneOf,
  optional,
  pattern,
  secretText,
  singleLine,
  url,
  urls,
  withDefault,
} from '../variable.js';

export const http = defineFragment({
  title: 'HTTP server',
  variables: {
    host: withDefault('ANNALS_HTTP_HOST', singleLine('a host name or an address'), '127.0.0.1', {
      description: 'Address the server listens on. `0.0.0.0` makes it reachable from other machines.',
    }),
    port: withDefault('ANNALS_HTTP_PORT', integer(0, 65_535), '8080', {
      description: 'Port the server listens on. `0` picks a free port.',
    }),
    docs: withDefault('ANNALS_DOCS', flag(), 'true', {
      description: 'Whether `/docs` and `/openapi.json` are served.',
    }),
    console: withDefault('ANNALS_CONSOLE', flag(), 'true', {
      description:
        'Whether the console is served at `/console/`. It shows what the API key that signs in there may see.',
    }),
    queueUi: withDefault('ANNALS_QUEUE_UI', flag(), 'true', {
      description: 'Whether operators can see the queues at `/admin/queues`. Only operator keys can log in there.',
    }),
  },
});

export const personPage = defineFragment({
  title: 'Page of a person',
  variables: {
    publicUrl: optional(
      'ANNALS_PUBLIC_URL',
      url('the URL of the gateway as browsers reach it, such as `https://memory.example.com`', ['https:', 'http:']),
      'links are made on this machine alone, with the host of the request',
      { description: 'Where links to the page of a person lead.' },
    ),
    frameAncestors: optional(
      'ANNALS_PERSON_PAGE_ANCESTORS',
      urls(['https:', 'http:']),
      'no page may show it in a frame',
      { description: 'Origins whose pages may show the page of a person in a frame.' },
    ),
  },
});

export const mcp = defineFragment({
  title: 'Model Context Protocol',
  variables: {
    hosts: optional(
      'ANNALS_MCP_HOSTS',
      hostNames(),
      '`localhost` and its addresses if `ANNALS_HTTP_HOST` is one of them; otherwise every host, and no web page',
      {
        description:
          'Host names, without port, under which clients reach `/mcp`. A request to another host, or from a web page of another host, is rejected with 403.',
      },
    ),
    authorizationServers: optional(
      'ANNALS_MCP_AUTHORIZATION_SERVERS',
      urls(['https:', 'http:']),
      'clients of `/mcp` are given an API key by hand',
      {
        description:
          'OAuth authorization servers that issue API keys as access tokens. `/.well-known/oauth-protected-resource` names them to clients of `/mcp`.',
      },
    ),
  },
});

export const limits = defineFragment({
  title: 'Limits on requests',
  variables: {
    requestsPerMinute: withDefault('ANNALS_RATE_LIMIT_PER_MINUTE', integer(1, 100_000_000), '60000', {
      description: 'Requests that one API key may send to one gateway process; more are rejected with 429.',
      unit: 'requests per minute',
    }),
    bytesPerMinute: withDefault('ANNALS_RATE_LIMIT_BYTES_PER_MINUTE', integer(1_024, 1_000_000_000_000), '268435456', {
      description:
        'Bytes that one API key may send in request bodies to one gateway process; more are rejected with 429. At least `ANNALS_BODY_LIMIT_BYTES`.',
      unit: 'bytes per minute',
    }),
    bodyBytes: withDefault('ANNALS_BODY_LIMIT_BYTES', integer(1_024, 104_857_600), '1048576', {
      description: 'Maximum size of a request body; a larger one is rejected with 413.',
      unit: 'bytes',
    }),
    trustedProxies: optional('ANNALS_TRUSTED_PROXIES', addresses(), 'a caller’s address is the one it connects from', {
      description:
        'Proxies in front of the gateway whose `X-Forwarded-For` header is trusted. Behind a proxy that is not listed, all callers share one limit on invalid keys.',
    }),
  },
  build: ({ trustedProxies = [], ...values }, addProblem) => {
    if (values.bytesPerMinute < values.bodyBytes)
      addProblem('bytesPerMinute', `must be at least ANNALS_BODY_LIMIT_BYTES, which is ${values.bodyBytes}`);
    return { ...values, trustedProxies };
  },
});

export const logging = defineFragment({
  title: 'Logs',
  variables: {
    level: withDefault('ANNALS_LOG_LEVEL', oneOf(['debug', 'info', 'warn', 'error']), 'info', {
      description: 'Lowest level that is logged.',
    }),
  },
});

export const telemetry = defineFragment({
  title: 'Traces',
  variables: {
    otlpEndpoint: optional(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      url('an http or https URL', ['http:', 'https:']),
      'no traces, unless `OTEL_TRACES_EXPORTER` is set',
      { description: 'OpenTelemetry collector that receives the traces, over OTLP/HTTP.' },
    ),
    tracesExporter: optional(
      'OTEL_TRACES_EXPORTER',
      oneOf(['otlp', 'console', 'none']),
      'traces go to the OTLP endpoint if one is set',
      {
        description: 'Where traces are exported to; `none` disables them.',
      },
    ),
    serviceName: optional(
      'OTEL_SERVICE_NAME',
      pattern('a name of letters, digits, `.`, `_` and `-`', /^[\w.-]{1,100}$/),
      'the name of the package, `annals-gateway` for example',
      {
        description: 'Name of this process in traces.',
      },
    ),
  },
});

/** The token can be tried without limit, so a short one is refused. */
const MIN_TOKEN_LENGTH = 16;

export const metrics = defineFragment({
  title: 'Metrics',
  variables: {
    token: optional(
      'ANNALS_METRICS_TOKEN',
      secretText(MIN_TOKEN_LENGTH),
      'the port of the service does not serve `/metrics`, and `ANNALS_METRICS_PORT` requires no token',
      {
        description: 'Token that `/metrics` requires, as `Authorization: Bearer <token>`.',
        secret: true,
      },
    ),
    port: optional(
      'ANNALS_METRICS_PORT',
      integer(0, 65_535),
      '`/metrics` is on the port of the service, if `ANNALS_METRICS_TOKEN` is set',
      {
        description:
          'Port for `/metrics` alone, which the port of the service then does not serve. `0` picks a free port.',
      },
    ),
    host: withDefault('ANNALS_METRICS_HOST', singleLine('a host name or an address'), '127.0.0.1', {
      description: 'Address that `ANNALS_METRICS_PORT` listens on: one that only your monitoring reaches.',
    }),
  },
});

export const lifecycle = defineFragment({
  title: 'Start and stop',
  variables: {
    shutdownTimeoutMs: withDefault('ANNALS_SHUTDOWN_TIMEOUT_MS', integer(100, 600_000), '25000', {
      description:
        'Maximum time in which a process finishes running work before it exits. Set it below the grace period of its host (Kubernetes: 30 s).',
      unit: 'ms',
    }),
  },
});
