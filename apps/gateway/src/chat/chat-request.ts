import { type ChatMemory, chatMemorySchema, pathIdSchema, externalIdSchema, type routes } from '@annals/contracts';
import { type ChatView, readChatBody } from '@annals/llm-core';
import type { FastifyRequest } from 'fastify';
import type { Call } from '../http/call.js';
import { parsePart } from '../http/parse-input.js';

export type ChatCall = Call<typeof routes.createChatCompletion>;

/** A completion as the client asks for it. */
export interface ChatInput {
  /** The body as it came in. */
  readonly text: string;
  readonly view: ChatView;
  readonly memory: ChatMemory;
  readonly scope: ChatScope;
}

/** Whose memory it is, and where it goes. */
export interface ChatScope {
  /** Null where neither the request nor the key names one. */
  readonly userId: string | null;
  /** Null for the thread that follows from the first message. */
  readonly threadId: string | null;
  readonly agentId: string | null;
  /** Whether the client says that it sends the same request again. */
  readonly isRetry: boolean;
}

/** Throws `validation_failed` for a header or a `user` that is no id. */
export function readChatInput({ body, caller, raw }: ChatCall, rawBody: Buffer): ChatInput {
  const { headers } = raw.request;
  const named = readHeader(headers, 'x-annals-user') ?? body['user'];
  const user = named === undefined || named === null || named === '' ? undefined : named;
  const userId = user === undefined ? caller.bindings.userId : parsePart('body.user', pathIdSchema, user);
  const thread = readHeader(headers, 'x-annals-thread');
  const agent = readHeader(headers, 'x-annals-agent');
  return {
    text: rawBody.toString(),
    view: readChatBody(body),
    memory: body.memory ?? chatMemorySchema.parse({}),
    scope: {
      userId,
      threadId: thread === undefined ? null : parsePart('headers.x-annals-thread', pathIdSchema, thread),
      agentId: agent === undefined ? null : parsePart('headers.x-annals-agent', externalIdSchema, agent),
      isRetry: Number(readHeader(headers, 'x-stainless-retry-count') ?? 0) > 0,
    },
  };
}

export function readHeader(headers: FastifyRequest['headers'], name: string): string | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text === '' ? undefined : text;
}

/** Headers that tell the upstream what it needs: of features, of the client’s own ids and of its retries. */
const FORWARDED_HEADERS =
  /^(?:accept|openai-(?:organization|project|beta)|anthropic-beta|x-stainless-.+|idempotency-key|x-client-request-id)$/;

export function forwardHeaders(headers: FastifyRequest['headers']): Record<string, string> {
  const forwarded = Object.entries(headers).filter(
    (entry): entry is [string, string] => FORWARDED_HEADERS.test(entry[0]) && typeof entry[1] === 'string',
  );
  return Object.fromEntries(forwarded);
}
