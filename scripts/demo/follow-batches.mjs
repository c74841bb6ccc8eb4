import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 300;
/** As many as a browser sends to one host. */
const MAX_CONCURRENT_REQUESTS = 6;

/** Waits until every batch is done or failed, and returns them all. */
export async function followBatches(api, batchIds, bar) {
  const ended = [];
  if (batchIds.length === 0) return ended;
  const extracting = bar.create(batchIds.length, 0, { what: 'extracting' });
  let open = batchIds;
  while (open.length > 0) {
    const stillOpen = [];
    for (let start = 0; start < open.length; start += MAX_CONCURRENT_REQUESTS) {
      const batches = await Promise.all(
        open.slice(start, start + MAX_CONCURRENT_REQUESTS).map((id) => api.call('GET', `/v1/batches/${id}`)),
      );
      for (const batch of batches) {
        if (batch.status === 'done' || batch.status === 'failed') ended.push(batch);
        else stillOpen.push(batch.id);
      }
      extracting.update(ended.length);
    }
    open = stillOpen;
    if (open.length > 0) await pause(POLL_MS);
  }
  return ended;
}
