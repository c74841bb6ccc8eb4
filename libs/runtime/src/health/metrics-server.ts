import type { Metrics } from '@annals/observability';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { explainListenError } from '../service/start-failure.js';
import { describeRefusal, type MetricsAccess, refuseOnMetricsPort } from './metrics-access.js';

/** Serves `/metrics` and nothing else, on a port of its own. */
export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics`, with the actual port. */
  readonly url: string;
  close(): Promise<void>;
}

/** Null when no port for metrics is configured. Throws StartFailure when the port cannot be used. */
export async function openMetricsServer(metrics: Metrics, access: MetricsAccess): Promise<MetricsServer | null> {
  const { host, port } = access;
  if (port === undefined) return null;
  const server = createServer((request, response) => void respond(metrics, access, request, response));
  await new Promise<void>((resolve, reject) => {
    const listenAddress = {
      host,
      port,
      portVariable: 'ANNALS_METRICS_PORT',
      hostVariable: 'ANNALS_METRICS_HOST',
    } as const;
    server.once('error', (error) => reject(explainListenError(error, listenAddress)));
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  metrics: Metrics,
  access: MetricsAccess,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isKnown = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
  const refusal = isKnown ? refuseOnMetricsPort(access, request.headers.authorization) : 'not_served';
  if (refusal !== null) {
    const { status, headers, body } = describeRefusal(refusal);
    response.writeHead(status, headers).end(body);
    return;
  }
  try {
    const { contentType, body } = await metrics.render();
    response.writeHead(200, { 'content-type': contentType }).end(body);
  } catch {
    response.writeHead(500).end();
  }
}
