import { ProblemError } from '@annals/contracts';
import { type BodyLimits, bodyLimitOf, maxBodyLimit } from './body-limit.js';
import { invalidFields } from './parse-input.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findRequestContext } from './request-context.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Accepts JSON in UTF-8 only, without `__proto__` or `constructor.prototype`. Stores the bytes for idempotency. */
export function registerJsonParser(fastify: FastifyInstance, config: BodyLimits): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBodyLimit(config) },
    async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
      if (body.length === 0) return undefined;
      const context = findRequestContext(request);
      // Of a body of unknown length, which no hook has compared with the limit of its route.
      if (context?.route) refuseLongBody(body.length, bodyLimitOf(context.route, config));
      if (context) context.rawBody = body;
      // Before any work on it, and whether it is valid or not.
      await context?.countBody?.(body.length);
      let text: string;
      try {
        text = decoder.decode(body);
      } catch {
        throw new ProblemError('invalid_json', 'Send the body as UTF-8.');
      }
      return new Promise((resolve, reject) => {
        void parse(request, text, (error, value) => (error ? reject(explainJsonError(text)) : resolve(value)));
      });
    },
  );
}

/** Longer texts, in UTF-16 units, are not parsed a second time to explain why they were refused. */
const MAX_EXPLAINED_UNITS = 65_536;

/** Fastify's parser has one error for text that is no JSON and for names that it refuses, which are valid JSON. */
function explainJsonError(text: string): ProblemError {
  if (text.length > MAX_EXPLAINED_UNITS) {
    const reserved = '__proto__ or constructor.prototype';
    return new ProblemError('invalid_json', `The body is not valid JSON, or has a field ${reserved}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new ProblemError('invalid_json', 'The body is not valid JSON: check commas, quotes and brackets.');
  }
  const field = hasField(value, '__proto__') ? '__proto__' : 'constructor.prototype';
  const message = `Remove the field ${field}: JavaScript reserves this name, so no field may have it.`;
  return invalidFields([{ path: 'body', message }]);
}

/** Whether an object inside of `value`, at any depth, has a field of that name. */
function hasField(value: unknown, name: string): boolean {
  const waiting = [value];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (Object.hasOwn(node, name)) return true;
    for (const inner of Object.values(node)) waiting.push(inner);
  }
  return false;
}

/** More is not worth reading only to keep the connection of a refused request. */
const MAX_DISCARDED_BYTES = 65_536;

/** Whether a refused request still sends a body that is too long, or of unknown length, to be read and discarded. */
export function leavesBodyUnread({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean {
  if (raw.complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES;
}

/** Refuses a body by its Content-Length, before any of it is read. */
export function refuseLargeBody(request: FastifyRequest, bodyLimit: number): void {
  refuseLongBody(Number(request.headers['content-length'] ?? 0), bodyLimit);
}

/** For a request without a key, of which no body is worth parsing. */
export function refuseAnyBody({ headers }: FastifyRequest): void {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  throw new ProblemError('body_too_large', 'Send no body with this request.');
}

function refuseLongBody(bytes: number, bodyLimit: number): void {
  if (bytes <= bodyLimit) return;
  throw new ProblemError('body_too_large', `Send at most ${bodyLimit} bytes in one body.`);
}
