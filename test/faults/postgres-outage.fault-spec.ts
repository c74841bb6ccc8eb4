import {
  ApiClient,
  assertNothingLostOrDuplicated,
  type PrivateServersSystem,
  LoadGenerator,
  makePost,
  startOnPrivateServers,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { formatSeconds, reportFigure } from './report.js';

describe('PostgreSQL under load', () => {
  let system: PrivateServersSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    system = await startOnPrivateServers({ env: { ANNALS_LOG_LEVEL: 'info' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  it.each<[string, number, () => Promise<void>]>([
    ['restarted', 21, () => system.postgres.restart()],
    ['killed', 22, () => system.postgres.kill9().then(() => system.postgres.restart())],
  ])('loses nothing when it is %s (seed %d)', async (what, seed, injectFault) => {
    const load = new LoadGenerator(client, { seed, name: `load${seed}`, callers: 6, pauseMs: 20 });
    for (let time = 0; time < 2; time += 1) {
      const enough = load.posts + 40;
      await waitUntil(() => load.posts >= enough, { describe: 'the load is running' });
      await injectFault();
    }
    const faultEndedMs = performance.now();
    const expected = await load.stop();
    await waitUntilDone(client, expected.batchIds, { explain });
    const recoveryMs = performance.now() - faultEndedMs;
    await system.inspect((query) => assertNothingLostOrDuplicated(query, expected));
    expect(system.processes.every(({ isRunning }) => isRunning)).toBe(true);
    reportFigure(
      `T9 PostgreSQL ${what}, 2 times, ${expected.batchIds.length} batches`,
      `all done after ${formatSeconds(recoveryMs)}`,
    );
  });

  it('when down leads to 503 with Retry-After, and nothing is stored partially', async () => {
    const body = { ...makePost([1, 2, 3], { userId: 'away', threadId: 't' }), flush: true };
    await system.postgres.kill9();
    const answers = [
      await client.call('postConversation', { body }),
      await client.call('queryMemory', { body: { query: 'item', filters: { user_id: 'away' } } }),
      await client.call('listMemories', { query: { user_id: 'away' } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.ok ? undefined : answer.problem.code).toBe('unavailable');
    }
    for (const { url } of system.processes) {
      const nobody = new ApiClient(url, null);
      expect((await nobody.send('GET', '/health/ready')).status).toBe(503);
      expect((await nobody.send('GET', '/health/live')).status).toBe(200);
    }
    await system.postgres.restart();
    const accepted = await waitUntil(
      async () => {
        const answer = await client.call('postConversation', { body });
        return answer.ok ? answer : undefined;
      },
      { describe: 'the API accepts again' },
    );
    expect(accepted).toMatchObject({ status: 202, body: { accepted: 3, duplicates: 0 } });
    await waitUntilDone(client, accepted.body.batch_ids, { explain });
    await Promise.all(system.processes.map((process) => process.waitReady()));
  });
});
