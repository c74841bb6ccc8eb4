import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '../checklist.mjs';

const POLL_MS = 500;
/** Only ends what hangs: on a busy machine work waits. */
const TIMEOUT_MS = 180_000;

/** Sends one message and waits until it is extracted and written. @returns its batch */
export async function remember(api, { userId, messageId, content }) {
  const accepted = await api.call('POST', '/v1/conversations', post(userId, messageId, content));
  return waitForBatch(api, accepted.batch_ids[0]);
}

/** @throws unless a query returns the memory, with the message that it comes from */
export async function expectRemembered(api, { userId, messageId, query, text }) {
  const { memories } = await api.call('POST', '/v1/memory/query', { query, filters: { user_id: userId }, top_k: 5 });
  const memory = memories.find((entry) => entry.text.includes(text) && entry.category !== 'activity');
  expect(memory, `No memory with "${text}" among ${JSON.stringify(memories.map((entry) => entry.text))}.`);
  const sources = memory.sources.map((source) => source.external_id);
  expect(sources.includes(messageId), `The memory cites ${sources.join(', ')}, not ${messageId}.`);
  return `"${memory.text}", from message ${messageId}`;
}

export async function waitForBatch(api, id) {
  return waitUntil(`batch ${id} is done`, async () => {
    const batch = await api.call('GET', `/v1/batches/${id}`);
    expect(batch.status !== 'failed', `Batch ${id} failed: ${JSON.stringify(batch)}`);
    return batch.status === 'done' ? batch : undefined;
  });
}

/** Polls until the result of `read` is not undefined. */
export async function waitUntil(title, read) {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const result = await read();
    if (result !== undefined) return result;
    await pause(POLL_MS);
  }
  throw new Error(`Waited ${TIMEOUT_MS / 1000} s in vain until ${title}.`);
}

export function post(userId, messageId, content) {
  const message = { id: messageId, role: 'user', content, created_at: '2026-05-04T09:12:00Z' };
  return { user_id: userId, thread_id: `thread-of-${userId}`, flush: true, messages: [message] };
}
