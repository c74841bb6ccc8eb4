import { ProblemError } from '@annals/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findRequestContext } from './request-context.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Accepts JSON in UTF-8 only, without `__proto__` or `constructor.prototype`. Stores the bytes for idempotency. */
export function registerJsonParser(fastify: FastifyInstance, bodyLimit: number): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    (request: FastifyRequest, body: Buffer, done) => {
      if (body.length === 0) return done(null, undefined);
      const context = findRequestContext(request);
      if (context) context.rawBody = body;
      let text: string;
      try {
        text = decoder.decode(body);
      } catch {
        return done(new ProblemError('invalid_json', 'Send the body as UTF-8.'));
      }
      return parse(request, text, (error, value) => (error ? done(explainJsonError(error)) : done(null, value)));
    },
  );
}

function explainJsonError(error: Error & { code?: string }): ProblemError {
  const poisoned = /prototype property/.test(error.message);
  return new ProblemError(
    'invalid_json',
    poisoned
      ? 'Remove the properties __proto__ and constructor.prototype from the body.'
      : 'The body is not valid JSON: check commas, quotes and brackets.',
  );
}

/** Refuses a body by its Content-Length, before any of it is read. */
export function refuseLargeBody(request: FastifyRequest, bodyLimit: number): void {
  if (Number(request.headers['content-length'] ?? 0) <= bodyLimit) return;
  throw new ProblemError('body_too_large', `Send at most ${bodyLimit} bytes in one body.`);
}
