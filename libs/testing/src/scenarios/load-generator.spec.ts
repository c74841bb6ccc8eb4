import type { ApiClient } from '../client/api-client.js';
import { waitUntil } from '../waiting/wait-until.js';
import { LoadGenerator } from './load-generator.js';

/** Accepts one batch for each post; batches end only when the test says so. The first status request fails. */
class FakeApi {
  status = 'queued';
  reads = 0;
  private accepted = 0;

  async must(route: string): Promise<unknown> {
    if (route === 'postConversation') return { batch_ids: [`b${++this.accepted}`] };
    this.reads += 1;
    if (this.reads === 1) throw new Error('The API is unreachable.');
    return { status: this.status };
  }
}

describe('LoadGenerator', () => {
  it('posts no more than the permitted backlog, and continues when its oldest batch has ended', async () => {
    const api = new FakeApi();
    const options = { seed: 1, callers: 1, pauseMs: 1, maxUnfinished: 3, patienceMs: Infinity };
    const load = new LoadGenerator(api as unknown as ApiClient, options);
    await waitUntil(() => api.reads >= 3, { describe: 'it waits for its backlog' });
    expect(load.posts).toBe(3);
    api.status = 'done';
    await waitUntil(() => load.posts > 5, { describe: 'it posts again' });
    const { batchIds } = await load.stop();
    expect(batchIds).toHaveLength(load.posts);
  });

  it('posts again when no batch ends, as in an outage', async () => {
    const options = { seed: 1, callers: 1, pauseMs: 1, maxUnfinished: 1, patienceMs: 1 };
    const load = new LoadGenerator(new FakeApi() as unknown as ApiClient, options);
    await waitUntil(() => load.posts > 3, { describe: 'it posts again' });
    await load.stop();
  });

  it('stops while it waits for its backlog', async () => {
    const api = new FakeApi();
    const options = { seed: 1, callers: 2, pauseMs: 1, maxUnfinished: 1, patienceMs: Infinity };
    const load = new LoadGenerator(api as unknown as ApiClient, options);
    await waitUntil(() => api.reads >= 2, { describe: 'it waits for its backlog' });
    expect((await load.stop()).batchIds).toHaveLength(2);
  });
});
