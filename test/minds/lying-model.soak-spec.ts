import { findLostFacts } from '@annals/domain';
import {
  createTestDatabase,
  type FakeModels,
  MEMORY_PAIRS,
  ShiftedClock,
  sized,
  startFakeModels,
  type TestDatabase,
} from '@annals/testing';
import { reportFigure } from '../faults/report.js';
import { describeModel, DrivenSystem } from './driven-system.fixture.js';
import { describeMerge, LyingModel } from './lying-model.fixture.js';

/** Of the lies: precision over many seeds is measured in libs/domain/src/consolidation/pairs.spec.ts. */
const SEED = 20_260;
const DAY_MS = 24 * 3_600_000;
const USERS = sized(12, 60);
const PAIRS = MEMORY_PAIRS;
/** Several users have each pair: the model may lie to one about what it tells another. */
const PAIRS_PER_USER = Math.ceil(PAIRS.length / 4);
const [FRIENDS, PLACES, THINGS, MONTHS] = [
  'Ben Clara Omar Priya Jonas',
  'Porto Oslo Ghent Turin Riga',
  'lamps chairs books plates clocks',
  'March May June August',
].map((words) => words.split(' ')) as [string[], string[], string[], string[]];

/** Messages with a number, a name and a date, a third of them with a negation; all of them different. */
function listMessages(user: number): string[] {
  return Array.from({ length: 6 }, (_, turn) => {
    const serial = user * 6 + turn;
    const [friend, place, thing, month] = [FRIENDS, PLACES, THINGS, MONTHS].map(
      (words, shift) => words[(serial + shift) % words.length]!,
    );
    if (turn % 3 === 2)
      return `I never sold ${serial + 3} ${thing} to ${friend} in ${place} in ${month} although the offer was good.`;
    return `I bought ${serial + 3} ${thing} from ${friend} in ${place} in ${month} after a long talk on the phone.`;
  });
}

describe(`a model that lies in a fifth of its statements (seed ${SEED})`, () => {
  const clock = new ShiftedClock();
  const liar = new LyingModel(SEED, PAIRS);
  let database: TestDatabase;
  let models: FakeModels;
  let system: DrivenSystem;

  beforeAll(async () => {
    database = await createTestDatabase();
    models = await startFakeModels({ answer: liar.answer });
    system = await DrivenSystem.start(database, {
      clock,
      env: {
        ...describeModel(models),
        ANNALS_ENERGY_CAPACITY: '1000000',
        ANNALS_ENERGY_REFILL_PER_HOUR: '1000000',
        ANNALS_CONSOLIDATION_TOKENS_PER_DAY: '1000000000',
      },
    });
    for (let user = 0; user < USERS; user += 1) {
      const pairs = Array.from(
        { length: PAIRS_PER_USER },
        (_, turn) => PAIRS[(user * PAIRS_PER_USER + turn) % PAIRS.length]!,
      );
      await system.remember(`user-${user}`, [...new Set(pairs.flatMap(({ a, b }) => [a, b]))]);
      await system.tell(`user-${user}`, `thread ${user}`, listMessages(user));
    }
    await system.waitUntilQuiet();
    await system.pass(2 * DAY_MS);
  });
  afterAll(async () => {
    await system?.stop();
    await models?.close();
    await database?.drop();
  });

  const expectNoLies = (kind: keyof LyingModel['lies'], stored: readonly string[]) => {
    const lies = liar.lies[kind];
    reportFigure(`lying model, ${kind}`, `${lies.size} false statements told, ${stored.length} statements stored`);
    expect(lies.size).toBeGreaterThan(1);
    expect(stored.length).toBeGreaterThan(1);
    expect(stored.filter((text) => lies.has(text))).toEqual([]);
  };

  it('has no false sentence in a summary', async () => {
    const rows = await system.query<{ text: string }>('SELECT content AS text FROM summary_sentences');
    expectNoLies(
      'summary',
      rows.map(({ text }) => text),
    );
  });

  it('has no false insight', async () => {
    const rows = await system.query<{ content: string }>(`SELECT content FROM memories WHERE type = 'insight'`);
    expectNoLies(
      'insights',
      rows.map(({ content }) => content),
    );
  });

  it('has no false text in a merged memory, and merged no two facts', async () => {
    const merges = await system.query<{ a: string; b: string; text: string }>(
      `SELECT a.content AS a, b.content AS b, r.content AS text FROM mind_run_changes c
         JOIN memories a ON a.id = c.memory_ids[1] JOIN memories b ON b.id = c.memory_ids[2] JOIN memories r ON r.id = c.result_id
        WHERE c.change = 'merge' AND c.state = 'written'`,
    );
    expectNoLies(
      'consolidation',
      merges.map(({ a, b, text }) => describeMerge(a, b, text)),
    );
    for (const { a, b, text } of merges) {
      const pair = PAIRS.find((known) => [known.a, known.b].includes(a) && [known.a, known.b].includes(b));
      if (!pair) continue;
      expect([a, b, pair.expected]).toEqual([a, b, 'merge']);
      expect([text, findLostFacts([a, b], text)]).toEqual([text, []]);
    }
  });
});
