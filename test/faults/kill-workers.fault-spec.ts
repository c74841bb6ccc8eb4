import { SeededRng } from '@annals/domain';
import {
  type AnnalsProcess,
  ApiClient,
  assertNothingLostOrDuplicated,
  type DistributedSystem,
  LoadGenerator,
  makePost,
  mapConcurrently,
  sized,
  startOnServices,
  TEST_SEED,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatSeconds, reportFigure } from './report.js';

const KILLS = sized(4, 20);
/** Concurrent posts, so that every worker is busy when it is killed. */
const BURST = sized(80, 160);

interface Kill {
  readonly at: number;
  /** Number of batches accepted before. */
  readonly accepted: number;
}

describe('workers killed at random moments under load', () => {
  let system: DistributedSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    system = await startOnServices({ extractions: 2, persistences: 2, env: { ANNALS_LOG_LEVEL: 'info' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  it('of both stages, each killed once during a burst, leave work that the others finish', async () => {
    const posts = Array.from({ length: BURST }, (_, turn) => ({
      ...makePost([turn, turn + 1, turn + 2], { userId: `burst-${turn % 4}`, threadId: `burst-${turn}` }),
      flush: true,
    }));
    const accepted = await mapConcurrently(posts, (body) => client.must('postConversation', { body }));
    const ids = accepted.flatMap(({ batch_ids }) => batch_ids);
    await waitUntilDone(client, ids.slice(0, 5), { explain });
    const victims = [system.extractions[0]!, system.persistences[0]!];
    const killedAt = Date.now();
    await Promise.all(victims.map((victim) => victim.kill9()));
    const batches = await waitUntilDone(client, ids, { explain });
    const recoveryMs = Math.max(...batches.map(({ finished_at }) => Date.parse(finished_at!))) - killedAt;
    const again = batches.filter(({ attempts }) => attempts > 1).length;
    reportFigure(
      `T9 kill -9 of one extraction and one persistence, at least ${again} of ${BURST} batches in progress`,
      `all done after ${formatSeconds(recoveryMs)} by the others`,
    );
    await Promise.all(victims.map((victim) => victim.start()));
  });

  it(`lose and duplicate nothing, ${KILLS} times (seed ${TEST_SEED})`, async () => {
    reportFigure('kill -9 of workers, seed', String(TEST_SEED));
    const rng = new SeededRng(TEST_SEED);
    const workers = [...system.extractions, ...system.persistences];
    const ready = new Set(workers);
    const hasPeer = (worker: AnnalsProcess) => [...ready].some((other) => other !== worker && other.app === worker.app);
    const load = new LoadGenerator(client, { seed: TEST_SEED, callers: 4, pauseMs: 200 });
    const kills: Kill[] = [];
    const starts: Promise<void>[] = [];
    while (kills.length < KILLS) {
      await sleep(100 + rng.nextFloat() * 1_500);
      // Kills only a ready worker, and only if another ready worker of its stage can continue.
      const candidates = await waitUntil(
        () => nonEmpty(workers.filter((worker) => ready.has(worker) && hasPeer(worker))),
        {
          describe: 'a killed worker is running again',
        },
      );
      const victim = candidates[Math.floor(rng.nextFloat() * candidates.length)]!;
      ready.delete(victim);
      kills.push({ at: Date.now(), accepted: load.batchIds.length });
      await victim.kill9();
      starts.push(victim.start().then(() => void ready.add(victim)));
    }
    await Promise.all(starts);
    const expected = await load.stop();
    const batches = await waitUntilDone(client, expected.batchIds, {
      explain,
    });
    await system.inspect((query) => assertNothingLostOrDuplicated(query, expected));

    const finishedAt = batches.map(({ finished_at }) => Date.parse(finished_at!));
    const recoveries = kills.map(({ at, accepted }) =>
      Math.max(0, ...finishedAt.slice(0, accepted).map((end) => end - at)),
    );
    const sorted = recoveries.toSorted((a, b) => a - b);
    const attempts = Math.max(...batches.map(({ attempts: count }) => count));
    reportFigure(
      `T9 kill -9 of extraction and persistence, ${KILLS} times, ${batches.length} batches`,
      `all done, median ${formatSeconds(sorted[KILLS / 2]!)} and at worst ${formatSeconds(sorted.at(-1)!)} after a kill, ${attempts} attempts at most`,
    );
  });
});

function nonEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}
