import { createServer, type Server, type ServerResponse } from 'node:http';
import { explainListenError, type ListenAddress } from './start-failure.js';

const RETRY_AFTER_SECONDS = '2';

/** Responds on the port of a service until the service can: alive, not ready, and 503 to everything else. */
export interface StartupServer {
  close(): Promise<void>;
}

/** Throws StartFailure when the port is in use. */
export async function openStartupServer(listenAddress: ListenAddress): Promise<StartupServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    // The next request must reach the service itself, over a new connection.
    response.setHeader('connection', 'close');
    if (path === '/health/live') return respond(response, 200, { status: 'ok', checks: [] });
    response.setHeader('retry-after', RETRY_AFTER_SECONDS);
    if (path === '/health/ready') return respond(response, 503, NOT_READY);
    response.setHeader('content-type', 'application/problem+json');
    return respond(response, 503, UNAVAILABLE);
  });
  await listen(server, listenAddress);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const NOT_READY = {
  status: 'failing',
  checks: [{ name: 'database', status: 'failing', detail: 'the process waits for PostgreSQL' }],
};

const UNAVAILABLE = {
  type: 'about:blank',
  title: 'The service is starting',
  status: 503,
  code: 'unavailable',
  detail: 'PostgreSQL is not reachable yet. Send the request again in a moment.',
};

function respond(response: ServerResponse, status: number, body: object): void {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
  response.statusCode = status;
  response.end(JSON.stringify(body));
}

function listen(server: Server, listenAddress: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, listenAddress)));
    server.listen(listenAddress.port, listenAddress.host, () => resolve());
  });
}
