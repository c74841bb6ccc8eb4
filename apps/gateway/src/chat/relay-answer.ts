import type { ChatAnswer } from '@annals/llm-core';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export interface RelayOptions {
  readonly reply: FastifyReply;
  /** Beside those of the upstream and of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Called when the answer has ended, before the client learns it; also when it broke off, or the client has left, and
   * then with false.
   */
  readonly beforeEnd: (isWhole: boolean) => Promise<void>;
  /** Aborted when the completion has taken too long, or its process stops. */
  readonly signal: AbortSignal;
}

/**
 * Sends an answer to its client as it comes in. When the client leaves, the answer is still read to its end: it is paid
 * for, and what was said is stored. Throws what the upstream threw when its answer broke off; the client then sees a
 * broken connection, as it would without this proxy.
 */
export async function relayAnswer(
  answer: ChatAnswer,
  { reply, headers, beforeEnd, signal }: RelayOptions,
): Promise<void> {
  const response = reply.raw;
  reply.hijack();
  response.writeHead(answer.status, {
    ...(reply.getHeaders() as Record<string, string>),
    ...answer.headers,
    ...headers,
    // Turns off response buffering in nginx and similar proxies.
    ...(answer.headers['content-type']?.startsWith('text/event-stream') ? { 'x-accel-buffering': 'no' } : {}),
  });
  response.flushHeaders();
  let ending: Promise<void> | undefined;
  const end = (isWhole: boolean) => (ending ??= beforeEnd(isWhole && !isGone(response)));
  try {
    for await (const chunk of answer.body) {
      // Clients stop reading at this event, and send their next request. A model may also write these words.
      if (includesDone(chunk) && answer.outcome().isComplete) await end(true);
      await write(response, chunk, signal);
    }
  } catch (error) {
    await end(false);
    response.destroy();
    throw error;
  }
  await end(true);
  response.end();
}

const DONE = 'data: [DONE]';

function includesDone(chunk: Uint8Array | string): boolean {
  if (typeof chunk === 'string') return chunk.includes(DONE);
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).includes(DONE);
}

/** Waits while the client does not read. Throws the reason of the signal. */
async function write(response: ServerResponse, chunk: Uint8Array | string, signal: AbortSignal): Promise<void> {
  if (isGone(response) || response.write(chunk)) return;
  const waiting = new AbortController();
  const ended = AbortSignal.any([signal, waiting.signal]);
  try {
    await Promise.race([once(response, 'drain', { signal: ended }), once(response, 'close', { signal: ended })]);
  } catch {
    signal.throwIfAborted();
  } finally {
    waiting.abort();
  }
}

function isGone(response: ServerResponse): boolean {
  return response.destroyed || response.writableEnded;
}
