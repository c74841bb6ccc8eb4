import { createHash } from 'node:crypto';
import { acceptMessages, type AcceptInput, type AcceptMessage, type AcceptOutcome } from '../conversations/index.js';
import type { StorageBench } from './storage-bench.contract.js';

export const WINDOW_MS = 1_000;

/** A message that says `content`; with an id, its HMAC stands for the words. */
export function say(content: string, externalId: string | null = null): AcceptMessage {
  return {
    externalId,
    role: 'user',
    actorId: null,
    content,
    contentHmac: createHash('sha256').update(content).digest(),
    saidAt: Date.UTC(2026, 0, 5, 8),
  };
}

export function sayMany(count: number, start = 0): AcceptMessage[] {
  return Array.from({ length: count }, (_, index) => say(`words ${start + index}`, `m${start + index}`));
}

/** What a gateway would hand over: one message to one thread, with the default window. */
export function postOf(bench: StorageBench, changes: Partial<AcceptInput> = {}): AcceptInput {
  return {
    userId: 'ada',
    threadId: 'thread',
    agentId: null,
    runId: null,
    appId: null,
    messages: [say('hello')],
    end: false,
    flush: false,
    priority: 'interactive',
    now: bench.clock.now(),
    windowMs: WINDOW_MS,
    maxMessages: 50,
    trace: null,
    ...changes,
  };
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
