import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from '../checklist.mjs';
import { waitForBatch, waitUntil } from './conversation.mjs';

/**
 * Posts conversations until it is stopped, in a thread of its own: commands of the engine block this one.
 * @param {object} api the client that reads what was posted
 * @param {{ prefix: string, environment: Record<string, string> }} options of post-loop.mjs
 */
export function keepPosting(api, options) {
  const acknowledged = [];
  const loop = new Worker(new URL('post-loop.mjs', import.meta.url), { workerData: options });
  loop.on('message', (posted) => acknowledged.push(posted));
  let problem;
  loop.on('error', (error) => (problem = error));
  const ended = once(loop, 'exit');

  async function readMemories(userId) {
    const { items } = await api.call('GET', `/v1/memories?user_id=${userId}&limit=50`);
    return items.length > 0 ? items : undefined;
  }

  return {
    /** Resolves when so many more posts are acknowledged than were when `during`, or this call, began. */
    async until(count, during = () => {}) {
      const before = acknowledged.length;
      during();
      await waitUntil(`${count} posts are acknowledged`, () => {
        if (problem) throw problem;
        return acknowledged.length - before >= count ? true : undefined;
      });
      return acknowledged.length - before;
    },

    /** Ends the posts; @throws unless every acknowledged one is remembered, once. */
    async stopAndVerify() {
      loop.postMessage('stop');
      await ended;
      if (problem) throw problem;
      for (const { userId, batchIds } of acknowledged) {
        for (const id of batchIds) await waitForBatch(api, id);
        // A repeated post that had been committed names no batch.
        const items = await waitUntil(`something of ${userId} is remembered`, () => readMemories(userId));
        const contents = items.map((item) => item.content);
        expect(new Set(contents).size === contents.length, `${userId} has doubled memories: ${contents.join(' | ')}`);
      }
      const repeated = acknowledged.reduce((sum, posted) => sum + posted.repeated, 0);
      return `${acknowledged.length} posts acknowledged and remembered, ${repeated} repeated`;
    },
  };
}
