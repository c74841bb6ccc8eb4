import {
  ApiClient,
  assertNothingLostOrDuplicated,
  type DistributedSystem,
  LoadGenerator,
  sized,
  startOnServices,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { formatSeconds, reportFigure } from './report.js';

describe('a rolling restart under load', () => {
  let system: DistributedSystem;
  let client: ApiClient;
  beforeAll(async () => {
    system = await startOnServices({ gateways: 2, extractions: 2, persistences: 2, env: { ANNALS_LOG_LEVEL: 'info' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  it('shuts every process down gracefully, and no batch needs a second attempt', async () => {
    const load = new LoadGenerator(client, { seed: 31, callers: 4, pauseMs: sized(400, 60) });
    for (const process of system.processes) {
      const enough = load.posts + sized(8, 15);
      await waitUntil(() => load.posts >= enough, { describe: 'the load is running' });
      expect([process.app, await process.stop()]).toEqual([process.app, 0]);
      await process.start();
    }
    const startedMs = performance.now();
    const expected = await load.stop();
    const batches = await waitUntilDone(client, expected.batchIds, { explain: () => system.lastLines });
    const waitMs = performance.now() - startedMs;
    expect(batches.filter(({ attempts }) => attempts > 1)).toEqual([]);
    await system.inspect((query) => assertNothingLostOrDuplicated(query, expected));
    reportFigure(
      `rolling restart of 6 processes, ${batches.length} batches`,
      `all done after ${formatSeconds(waitMs)}`,
    );
  });
});
