import { SeededRng } from '@annals/domain';
import {
  type AnnalsProcess,
  ApiClient,
  assertNothingLostOrDuplicated,
  type DistributedSystem,
  type FakeModels,
  FakeModelsRemote,
  sized,
  startFakeModels,
  startOnServices,
  TEST_SEED,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  compareWithLedger,
  findUnrecordedCharges,
  makeMarkedPost,
  markedContent,
  markOf,
  parseMarkedCall,
} from './marked-posts.js';
import { chooseFakeModels } from './model-variables.js';
import { reportFigure } from './report.js';

const KILLS = sized(3, 10);
/** Maximum delay of a kill after the provider's answer: some kills hit the worker before its commit, some after it. */
const MAX_DELAY_MS = 40;
const USER = 'ada';
/** Long enough that only a kill ends a call before its answer: a call repeated for any other reason is an error. */
const CALL_MS = 10_000;
const SETTLING_MARGIN_MS = 10_000;

describe('the only worker, killed before it stores a paid answer', () => {
  let fake: FakeModels;
  let system: DistributedSystem;
  let client: ApiClient;
  let worker: AnnalsProcess;
  const explain = () => system.lastLines;
  const contents = new Set<string>();
  const numbers = new Map<string, number>();

  beforeAll(async () => {
    fake = await startFakeModels();
    const env = chooseFakeModels(new FakeModelsRemote(fake.anthropicUrl), {
      MEMORY_LLM_FALLBACKS: '',
      MEMORY_LLM_TIMEOUT_MS: `${CALL_MS}`,
      MEMORY_LLM_SETTLING_MARGIN_MS: `${SETTLING_MARGIN_MS}`,
      ANNALS_LEASE_MS: '5000',
    });
    system = await startOnServices({ env });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    [worker] = system.extractions as [AnnalsProcess];
  });
  afterAll(async () => {
    await system?.close();
    await fake?.close();
  });

  const post = async (number: number): Promise<string> => {
    const body = makeMarkedPost(number, { userId: USER, threadId: `thread-${number}` });
    const { batch_ids } = await client.must('postConversation', { body });
    contents.add(markedContent(number));
    numbers.set(batch_ids[0]!, number);
    return batch_ids[0]!;
  };
  const callsOf = (number: number) =>
    fake.journal.entries.filter(({ request }) => {
      const { operation, mark } = parseMarkedCall(request);
      return operation === 'extraction' && mark === markOf(number);
    });
  const isSettled = async () => (await system.inspect((query) => query('SELECT id FROM reservations'))).length === 0;

  it(`pays for at most one more answer per kill, ${KILLS} times, and records both (seed ${TEST_SEED})`, async () => {
    reportFigure('replay safety, seed', String(TEST_SEED));
    const rng = new SeededRng(TEST_SEED);
    for (let number = 0; number < KILLS; number += 1) {
      const id = await post(number);
      await fake.journal.waitFor(() => callsOf(number).some(({ ending }) => ending === 'complete'));
      await sleep(rng.nextFloat() * MAX_DELAY_MS);
      await worker.kill9();
      await worker.start();
      await waitUntilDone(client, [id], { explain });
    }
    const calls = Array.from({ length: KILLS }, (_, number) => callsOf(number).length);
    expect(calls.filter((count) => count < 1 || count > 2)).toEqual([]);
    await waitUntil(isSettled, { describe: 'lost calls are charged', intervalMs: 250 });
    const accounts = await system.inspect((query) =>
      compareWithLedger(query, fake.journal.entries, numbers, 'extraction'),
    );
    expect(findUnrecordedCharges(accounts)).toEqual([]);
    // Persistence was not killed, so none of its calls was repeated.
    const reconciliations = await system.inspect((query) =>
      compareWithLedger(query, fake.journal.entries, numbers, 'reconciliation'),
    );
    expect(findUnrecordedCharges(reconciliations)).toEqual([]);
    expect([...reconciliations.values()].filter(({ calls: count }) => count > 1)).toEqual([]);
    // Every call to the provider has one row, whether the worker or the reconciler wrote it.
    expect([...accounts.values()].map(({ rows }) => rows)).toEqual(calls);
    await system.inspect((query) =>
      assertNothingLostOrDuplicated(query, { batchIds: [...numbers.keys()], contents: new Map([[USER, contents]]) }),
    );
    const total = [...accounts.values()];
    const charged = total.reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, 0) / 1e9;
    const ledger = total.reduce((sum, { ledgerMicroUsd }) => sum + ledgerMicroUsd, 0) / 1e6;
    const again = calls.filter((count) => count > 1).length;
    reportFigure(
      `kill -9 of the only extraction within ${MAX_DELAY_MS} ms of an answer, ${KILLS} times`,
      `${again} answers paid again, ${KILLS - again} not; charged ${charged.toFixed(6)} USD, ledger ${ledger.toFixed(6)} USD; nothing duplicated`,
    );
  });

  it('continues with the corrective call after an unreadable answer was stored, without repeating the first call', async () => {
    const number = KILLS;
    // Blocks the call after an unreadable answer, so that the worker is killed between the two calls.
    await system.inspect(async (query) => {
      await query(`CREATE FUNCTION annals.hold_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF EXISTS (SELECT FROM annals.call_answers a WHERE a.batch_id = NEW.batch_id) THEN PERFORM pg_sleep(60); END IF;
          RETURN NEW;
        END $$`);
      await query(`CREATE TRIGGER hold_corrections BEFORE INSERT ON annals.reservations
        FOR EACH ROW EXECUTE FUNCTION annals.hold_corrections()`);
    });
    fake.plan({ kind: 'answer', text: 'I found one fact, but I do not feel like JSON today.' });
    const id = await post(number);
    const isHeld = () =>
      system.inspect(async (query) => {
        const held = await query(
          `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
        );
        return held.length > 0;
      });
    await waitUntil(isHeld, { describe: 'the worker is about to send the corrective call' });
    await worker.kill9();
    expect(callsOf(number)).toHaveLength(1);
    await system.inspect(async (query) => {
      await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE wait_event = 'PgSleep' AND datname = current_database()`);
      await query('DROP TRIGGER hold_corrections ON annals.reservations');
    });
    await worker.start();
    await waitUntilDone(client, [id], { explain });
    expect(callsOf(number).map(({ request }) => request.userTexts.length)).toEqual([1, 2]);
    expect(callsOf(number)[1]!.request.body).toMatchObject({
      messages: expect.arrayContaining([expect.objectContaining({ role: 'assistant' })]) as unknown,
    });
    const outcomes = await system.inspect((query) =>
      query(`SELECT outcome FROM usage WHERE batch_id = $1 AND operation = 'extraction' ORDER BY ts, id`, [id]),
    );
    expect(outcomes).toEqual([{ outcome: 'parsing' }, { outcome: 'ok' }]);
    await system.inspect((query) =>
      assertNothingLostOrDuplicated(query, { batchIds: [...numbers.keys()], contents: new Map([[USER, contents]]) }),
    );
  });
});
