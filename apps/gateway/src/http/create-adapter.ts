import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayConfig } from '../config.js';
import { describeProblem } from './describe-problem.js';
import { parseRequestId } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** Longest single part of a path: ids are 36 characters, users and threads up to 200, percent-encoded. */
const MAX_PARAM_LENGTH = 2_000;
/** A client that takes longer to send its request is dropped. */
const REQUEST_TIMEOUT_MS = 60_000;

/** The Fastify adapter that the gateway runs on: `createAdapter` of a service definition. */
export function createGatewayAdapter({
  trustedProxies,
}: Pick<GatewayConfig['limits'], 'trustedProxies'>): FastifyAdapter {
  return new FastifyAdapter({
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // Event streams are ended by the gateway itself; what is then still open is idle.
    forceCloseConnections: 'idle',
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerBrokenRequest,
  });
}

/** Answers what the router refuses before any hook runs: a path that cannot be decoded, or a part that is too long. */
function answerUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const requestId = parseRequestId(request.headers['x-request-id']);
  const context = { method: request.method, path: '', bodyLimitBytes: 0, requestId };
  const { status, body } = describeProblem(error, context);
  reply.code(status).headers(SECURITY_HEADERS).type('application/problem+json').send(JSON.stringify(body));
}

/** Answers what is no HTTP request, which Fastify's own routing and errors never see. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, code, title, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'headers_too_large', 'The headers are too large', 'Send shorter headers.']
      : [400, 'validation_failed', 'The request does not have the right shape', 'Send a valid HTTP/1.1 request.'];
  const body = JSON.stringify({ type: `urn:annals:problem:${code}`, title, status, code, detail });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
