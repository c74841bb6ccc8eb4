import { SeededRng } from '@annals/domain';
import {
  ApiClient,
  assertNothingLostOrDuplicated,
  type DistributedSystem,
  LoadGenerator,
  sized,
  startOnServices,
  TEST_SEED,
  waitUntilDone,
} from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatSeconds, reportFigure } from './report.js';

const KILLS = sized(2, 5);

describe('gateways killed at random moments under load', () => {
  let system: DistributedSystem;
  let client: ApiClient;
  beforeAll(async () => {
    system = await startOnServices({ gateways: 2, env: { ANNALS_LOG_LEVEL: 'info' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  it(`lose no accepted message and store none twice, ${KILLS} times (seed ${TEST_SEED})`, async () => {
    reportFigure('kill -9 of gateways, seed', String(TEST_SEED));
    const rng = new SeededRng(TEST_SEED);
    const load = new LoadGenerator(client, { seed: TEST_SEED, callers: 4, pauseMs: sized(200, 80) });
    for (let round = 0; round < KILLS; round += 1) {
      await sleep(300 + rng.nextFloat() * 1_500);
      const victim = system.gateways[Math.floor(rng.nextFloat() * system.gateways.length)]!;
      await victim.kill9();
      await victim.start();
    }
    const startedMs = performance.now();
    const expected = await load.stop();
    expect(load.retries).toBeGreaterThan(0);
    await waitUntilDone(client, expected.batchIds, { explain: () => system.lastLines });
    const recoveryMs = performance.now() - startedMs;
    await system.inspect(async (query) => {
      await assertNothingLostOrDuplicated(query, expected);
      const [row] = await query<{ messages: string }>('SELECT count(*) AS messages FROM messages');
      expect(Number(row!.messages)).toBe(load.posts * 3);
    });
    reportFigure(
      `T9 kill -9 of gateways, ${KILLS} times, ${load.posts} posts`,
      `all done after ${formatSeconds(recoveryMs)}`,
    );
  });
});
