import { type ChatMemory, chatMemorySchema, pathIdSchema, externalIdSchema, type routes } from '@annals/contracts';
import { type ChatView, readChatBody } from '@annals/llm-core';
import type { FastifyRequest } from 'fastify';
import type { Call } from '../http/call.js';
import { invalidFields, parsePart } from '../http/parse-input.js';

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
  const text = rawBody.toString();
  const named = readId(headers, 'x-annals-user') ?? body['user'];
  const user = named === undefined || named === null || named === '' ? undefined : named;
  const userId = user === undefined ? caller.bindings.userId : parsePart('body.user', pathIdSchema, user);
  const thread = readId(headers, 'x-annals-thread');
  const agent = readId(headers, 'x-annals-agent');
  return {
    text,
    view: readChatBody(body, text),
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

/** An id, which is percent-encoded where a header cannot have its letters. */
function readId(headers: FastifyRequest['headers'], name: string): string | undefined {
  const text = readHeader(headers, name);
  if (text === undefined || !text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidFields([{ path: `headers.${name}`, message: 'Percent-encode the id as UTF-8.' }]);
  }
}
