import { SeededRng } from '@annals/domain';
import { ApiClient, type DistributedSystem, sized, startOnServices, TEST_SEED } from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportFigure } from './report.js';

const KILLS = sized(2, 4);
const SAVERS = 4;
const USER = 'saver';

/** The state that a saver stores for its thread; it grows with every step. */
interface State {
  readonly step: number;
  readonly notes: readonly string[];
}

describe('gateways killed while checkpoints are saved', () => {
  let system: DistributedSystem;
  let client: ApiClient;
  beforeAll(async () => {
    system = await startOnServices({ gateways: 2 });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  const inputOf = (thread_id: string) => ({ params: { user_id: USER, thread_id } });

  /** The stored state; repeats the request until it gets a response. */
  async function read(threadId: string): Promise<State> {
    for (;;) {
      const answer = await client.call('getCheckpoint', inputOf(threadId)).catch(() => null);
      if (answer?.ok) return answer.body.data as State;
      if (answer?.status === 404) return { step: 0, notes: [] };
      await sleep(20);
    }
  }

  /** Saves one step after the other; reads the stored state after a lost response. Returns the last confirmed step. */
  async function saveUntilStopped(threadId: string, isOver: () => boolean): Promise<number> {
    let state: State = { step: 0, notes: [] };
    let confirmed = 0;
    while (!isOver()) {
      const step = state.step + 1;
      const next: State = { step, notes: [...state.notes, `note ${step} of ${threadId}`] };
      const body = { version: state.step, data: next };
      const answer = await client.call('putCheckpoint', { ...inputOf(threadId), body }).catch(() => null);
      if (answer?.ok) {
        expect(answer.body.version).toBe(step);
        confirmed = step;
        state = next;
      } else {
        state = await read(threadId);
      }
    }
    return confirmed;
  }

  it(`lose no saved state and leave no partial one, ${KILLS} times (seed ${TEST_SEED})`, async () => {
    const rng = new SeededRng(TEST_SEED);
    let isOver = false;
    const threads = Array.from({ length: SAVERS }, (_, n) => `thread-${n}`);
    const saving = threads.map((threadId) => saveUntilStopped(threadId, () => isOver));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(300 + rng.nextFloat() * 700);
      const victim = system.gateways[Math.floor(rng.nextFloat() * system.gateways.length)]!;
      await victim.kill9();
      await victim.start();
    }
    isOver = true;
    const confirmed = await Promise.all(saving);
    for (const [index, threadId] of threads.entries()) {
      const newest = await client.must('getCheckpoint', inputOf(threadId));
      // Besides the confirmed versions, there is at most the one whose response was lost.
      expect([confirmed[index]!, confirmed[index]! + 1]).toContain(newest.version);
      for (let version = newest.oldest_version; version <= newest.version; version += 1) {
        const { data } = await client.must('getCheckpoint', { ...inputOf(threadId), query: { version } });
        const notes = Array.from({ length: version }, (_, n) => `note ${n + 1} of ${threadId}`);
        expect(data).toEqual({ step: version, notes });
      }
    }
    reportFigure(
      `kill -9 while ${SAVERS} threads are saved, seed ${TEST_SEED}`,
      `${confirmed.join(', ')} versions, none lost`,
    );
  });
});
