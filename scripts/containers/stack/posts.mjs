import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '../checklist.mjs';
import { post, waitForBatch, waitUntil } from './conversation.mjs';

const POST_EVERY_MS = 250;
const RETRY_MS = 500;

/**
 * Sends conversations of new users until it is stopped. A post that fails, as a gateway is replaced, is repeated with the
 * same message id until it is acknowledged, as a client does.
 */
export function keepPosting(api, prefix) {
  const acknowledged = [];
  let repeated = 0;
  const stop = new AbortController();
  const loop = (async () => {
    for (let number = 1; !stop.signal.aborted; number += 1) {
      acknowledged.push(await postUntilAcknowledged(number));
      await pause(POST_EVERY_MS);
    }
  })();

  async function postUntilAcknowledged(number) {
    const userId = `${prefix}-${number}`;
    const body = post(userId, `message-${number}`, 'I am allergic to peanuts. I live in Lisbon.');
    for (;;) {
      try {
        const accepted = await api.call('POST', '/v1/conversations', body);
        return { userId, batchIds: accepted.batch_ids ?? [accepted.batch_id] };
      } catch (error) {
        // No answer, or 5xx: whether it was committed is unknown.
        if (error.status !== undefined && error.status < 500) throw error;
        repeated += 1;
        await pause(RETRY_MS);
      }
    }
  }

  async function readMemories(userId) {
    const { items } = await api.call('GET', `/v1/memories?user_id=${userId}&limit=50`);
    return items.length > 0 ? items : undefined;
  }

  // A post that is refused ends the loop; stopAndVerify throws its error.
  loop.catch(() => {});

  return {
    /** Resolves when so many posts are acknowledged. */
    until: (count) =>
      waitUntil(`${count} posts are acknowledged`, () => (acknowledged.length >= count ? true : undefined)),

    /** Ends the posts; @throws unless every acknowledged one is remembered, once. */
    async stopAndVerify() {
      stop.abort();
      await loop;
      for (const { userId, batchIds } of acknowledged) {
        for (const id of batchIds) await waitForBatch(api, id);
        // A repeated post that had been committed names no batch.
        const items = await waitUntil(`something of ${userId} is remembered`, () => readMemories(userId));
        const contents = items.map((item) => item.content);
        expect(new Set(contents).size === contents.length, `${userId} has doubled memories: ${contents.join(' | ')}`);
      }
      return `${acknowledged.length} posts acknowledged and remembered, ${repeated} repeated`;
    },
  };
}
