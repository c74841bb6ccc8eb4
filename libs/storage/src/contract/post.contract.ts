import { newMessage, newPost } from '@annals/testing';
import { acceptMessages, type AcceptInput, type AcceptMessage, type AcceptOutcome } from '../conversations/index.js';
import type { StorageBench } from './storage-bench.contract.js';

export const WINDOW_MS = 1_000;

/** A message that says `content`; with an id, its HMAC stands for the words. */
export function say(content: string, externalId: string | null = null): AcceptMessage {
  return newMessage(content, Date.UTC(2026, 0, 5, 8), { externalId });
}

export function sayMany(count: number, start = 0): AcceptMessage[] {
  return Array.from({ length: count }, (_, index) => say(`words ${start + index}`, `m${start + index}`));
}

/** What a gateway would hand over: one message to one thread, with the default window. */
export function postOf(bench: StorageBench, changes: Partial<AcceptInput> = {}): AcceptInput {
  const { messages = [say('hello')], now = bench.clock.now(), ...fields } = changes;
  return newPost(messages, now, { threadId: 'thread', flush: false, windowMs: WINDOW_MS, ...fields });
}

export function post(
  bench: StorageBench,
  tenantId: string,
  changes: Partial<AcceptInput> = {},
): Promise<AcceptOutcome> {
  return bench.inTenant(tenantId, (tx) => acceptMessages(tx, postOf(bench, changes), bench.ids));
}

/** Posts one message to a thread of its own, sealed: one batch that is due. Answers its id. */
export async function addDueBatch(bench: StorageBench, tenantId: string): Promise<string> {
  const { batchIds } = await post(bench, tenantId, { threadId: null, windowMs: 0 });
  return batchIds[0]!;
}
