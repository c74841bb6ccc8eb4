import { PROBLEMS } from '@annals/contracts';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayConfig } from '../config.js';
import { describeProblem } from './describe-problem.js';
import { parseRequestId, SECURITY_HEADERS } from './headers.js';
import { checkBoundRoute } from './route-table.js';

/** Of one path segment, in characters: ids have 36, users and threads up to 200, percent-encoded. */
const MAX_PARAM_LENGTH = 2_000;
/** A client that takes longer to send its request is disconnected. */
const REQUEST_TIMEOUT_MS = 60_000;

/** The Fastify adapter that the gateway runs on: `createAdapter` of a service definition. */
export function createGatewayAdapter({
  trustedProxies,
}: Pick<GatewayConfig['limits'], 'trustedProxies'>): FastifyAdapter {
  const adapter = new FastifyAdapter({
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // The gateway ends event streams itself; connections that are still open then are idle.
    forceCloseConnections: 'idle',
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerBrokenRequest,
  });
  // Before any route is bound: a path that the tables of routes and of key bindings do not contain stops the start.
  adapter.getInstance().addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) checkBoundRoute(each, url);
  });
  return adapter;
}

/** Answers requests that the router refuses before any hook runs: an undecodable path, or too long a segment. */
function answerUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const requestId = parseRequestId(request.headers['x-request-id']);
  const context = { method: request.method, path: '', bodyLimitBytes: 0, requestId };
  const { status, body } = describeProblem(error, context);
  reply.code(status).headers(SECURITY_HEADERS).type('application/problem+json').send(JSON.stringify(body));
}

/** Answers invalid HTTP requests, which never reach Fastify's routing and error handlers. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [code, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? (['headers_too_large', 'Send shorter headers.'] as const)
      : (['validation_failed', 'Send a valid HTTP/1.1 request.'] as const);
  const { status, title } = PROBLEMS[code];
  const body = JSON.stringify({ type: `urn:annals:problem:${code}`, title, status, code, detail });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
