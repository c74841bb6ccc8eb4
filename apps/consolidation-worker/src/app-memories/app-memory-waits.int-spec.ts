import { drawEnergy } from '@annals/storage';
import {
  createTestDatabase,
  type FakeModels,
  type FakeRequest,
  startFakeModels,
  type TestDatabase,
} from '@annals/testing';
import {
  answerDecision,
  answerMemory,
  AppMemoryFixture,
  type Asked,
  askModels,
  readTask,
} from './app-memories.fixture.js';

const TOOLS = [
  'hammers',
  'chisels',
  'planes',
  'rasps',
  'files',
  'saws',
  'clamps',
  'squares',
  'drills',
  'awls',
  'gouges',
];

/** What a user says of one tool. */
const sayOf = (at: number) => `I own ${at + 20} ${TOOLS[at]}.`;
const memoryOf = (at: number) => `The user owns ${at + 20} ${TOOLS[at]}.`;

describe('app memories whose model may not be asked for now', () => {
  let test: TestDatabase;
  let models: FakeModels;
  let fixture: AppMemoryFixture;
  let answer: (request: FakeRequest, task: Asked) => string;
  let users = 0;
  let userId: string;

  beforeAll(async () => {
    test = await createTestDatabase();
    models = await startFakeModels({ answer: (request) => answer(request, readTask(request)) });
    fixture = await AppMemoryFixture.open(test, askModels(models));
    await fixture.install();
  });
  afterAll(async () => {
    await fixture?.close();
    await models?.close();
    await test?.drop();
  });
  beforeEach(() => {
    models.behave(undefined);
    userId = `user${++users}`;
    answer = tell;
  });

  /** What the user owns is repeated; of eleven memories, the third goes. */
  const tell = ({ userTexts }: FakeRequest, task: Asked): string => {
    if (task === 'compaction') return answerDecision('delete', 'a3');
    const owned = /I own (\d+ \p{L}+)/u.exec(userTexts[0]!)![1]!;
    return answerMemory(`The user owns ${owned}.`);
  };
  const calls = () => models.journal.generated.length;
  const countLedger = async () => ({ app_memory: 0, app_compaction: 0, ...(await fixture.countLedger()) });
  const end = (at: number) => fixture.end([sayOf(at)], { userId });
  const listOwn = async (state: string) => {
    const rows = await fixture.inTenant((tx) =>
      tx.query<{ content: string }>(
        'SELECT content FROM app_memories WHERE user_id = $1 AND state = $2 ORDER BY created_at, id',
        [userId, state],
      ),
    );
    return rows.map(({ content }) => content);
  };
  /** Ten memories, as of conversations that ended before. */
  const fillPool = () =>
    fixture.store(
      userId,
      Array.from({ length: 10 }, (_, at) => ({ said: sayOf(at), content: memoryOf(at) })),
    );
  const SCARCE = { capacity: 1_000_000, refillPerHour: 50 };
  let days = 10;
  /** A process on a day of its own, with so much left of the share of apps. */
  const openScarce = async (left: number) => {
    const scarce = await AppMemoryFixture.open(test, {
      ...askModels(models),
      ANNALS_ENERGY_CAPACITY: String(SCARCE.capacity),
      ANNALS_ENERGY_REFILL_PER_HOUR: String(SCARCE.refillPerHour),
    });
    days += 2;
    scarce.clock.advance(days * 86_400_000);
    await drain(scarce, left);
    return scarce;
  };
  /** Of a day on which apps have drawn nothing since the other process drew: a twentieth of 24 hours of refill is left. */
  const drain = async (scarce: AppMemoryFixture, left: number) => {
    const units = (SCARCE.refillPerHour * 24) / 20 - left;
    const draw = { kind: 'app_memory', units, now: scarce.clock.now(), limits: SCARCE } as const;
    expect(await scarce.inTenant((tx) => drawEnergy(tx, draw))).toMatchObject({ drawn: true });
  };

  it.each([
    ['a rate limit', 429],
    ['a wrong key', 401],
    ['an empty balance', 402],
    ['an unknown model', 404],
  ])('wait for as long as it takes where the provider refuses the call: %s', async (_what, status) => {
    models.behave(() => ({ kind: 'error', status }));
    const before = calls();
    const id = await end(0);
    for (let round = 0; round < 4; round += 1) {
      expect(await fixture.runJob(id)).toBe('deferred');
      expect(await fixture.findWork(id)).toMatchObject({
        status: 'deferred',
        deferred_reason: 'provider_unavailable',
      });
    }
    expect(calls() - before).toBe(4);
    expect(await fixture.listRuns(id)).toMatchObject([{ state: 'deferred', calls: 4, energy: 0, cost_micro_usd: 0 }]);
    models.behave(undefined);
    expect(await fixture.settle(id)).toBe('nothing waits');
    expect(await listOwn('active')).toEqual([memoryOf(0)]);
    expect(fixture.listLines('app_memory_failed').filter((line) => line['conversationId'] === id)).toEqual([]);
  });

  it('wait with the decision about eleven, which the provider refuses', async () => {
    await fillPool();
    models.behave((request) => (readTask(request) === 'compaction' ? { kind: 'error', status: 429 } : undefined));
    const id = await end(10);
    expect(await fixture.runJob(id)).toBe('deferred');
    expect(await fixture.runJob(id)).toBe('deferred');
    expect(await fixture.findWork(id)).toMatchObject({ deferred_reason: 'provider_unavailable' });
    expect([(await listOwn('active')).length, await listOwn('pending')]).toEqual([10, [memoryOf(10)]]);
    models.behave(undefined);
    await fixture.settle(id);
    expect(await listOwn('removed')).toEqual([memoryOf(2)]);
  });

  describe('that are to be corrected without energy for it', () => {
    it.each<[string, () => string]>([
      ['states what nobody said', () => answerMemory('The user owns 99 lathes.')],
      ['is no JSON', () => 'I remember.'],
    ])('wait, and are charged for what was asked, where the first answer %s', async (_what, lie) => {
      const scarce = await openScarce(18);
      const before = { ...(await countLedger()), received: calls() };
      const id = await end(0);
      answer = lie;
      expect(await scarce.runJob(id)).toBe('deferred');
      expect(await scarce.findWork(id)).toMatchObject({ status: 'deferred', deferred_reason: 'energy' });
      expect(await scarce.listRuns(id)).toMatchObject([
        { state: 'deferred', failure_code: null, calls: 1, energy: 12 },
      ]);
      expect(calls() - before.received).toBe(1);
      answer = tell;
      expect(await fixture.settle(id)).toBe('nothing waits');
      expect(await listOwn('active')).toEqual([memoryOf(0)]);
      expect(await fixture.listRuns(id)).toMatchObject([{ state: 'done', calls: 2, energy: 24 }]);
      expect((await countLedger()).app_memory - before.app_memory).toBe(2);
      await scarce.close();
    });

    it('are not asked about more often than three times', async () => {
      answer = () => answerMemory('The user owns 99 lathes.');
      const [before, id] = [calls(), await end(0)];
      for (let day = 0; day < 3; day += 1) {
        const scarce = await openScarce(18);
        expect(await scarce.runJob(id)).toBe('deferred');
        await scarce.close();
      }
      expect(await fixture.settle(id)).toBe('failed');
      expect(await fixture.findWork(id)).toMatchObject({ failure_code: 'too_many_failures' });
      expect(calls() - before).toBe(3);
    });

    it('wait as pending for their decision, and nobody goes for them', async () => {
      const scarce = await openScarce(42);
      await fillPool();
      const id = await end(10);
      expect(await scarce.runJob(id)).toBe('deferred');
      answer = () => answerDecision('edit', 'a1', 'The user owns tools.');
      const before = calls();
      expect(await scarce.runJob(id)).toBe('deferred');
      expect(await scarce.findWork(id)).toMatchObject({ deferred_reason: 'energy' });
      expect(calls() - before).toBe(1);
      expect([(await listOwn('active')).length, await listOwn('pending')]).toEqual([10, [memoryOf(10)]]);
      expect(await scarce.listRuns(id)).toMatchObject([{ state: 'deferred', calls: 2, energy: 37 }]);
      answer = tell;
      expect(await fixture.settle(id)).toBe('nothing waits');
      expect(await listOwn('removed')).toEqual([memoryOf(2)]);
      await scarce.close();
    });
  });

  it('wait for energy of apps without being paid for twice', async () => {
    const scarce = await openScarce(0);
    await fillPool();
    const before = await countLedger();
    const id = await end(10);
    expect(await scarce.runJob(id)).toBe('deferred');
    expect(await scarce.findWork(id)).toMatchObject({ status: 'deferred', deferred_reason: 'energy' });
    expect(await countLedger()).toEqual(before);
    expect(await fixture.runJob(id)).toBe('deferred');
    await drain(scarce, 0);
    expect(await scarce.runJob(id)).toBe('deferred');
    expect(await scarce.findWork(id)).toMatchObject({ deferred_reason: 'energy' });
    expect(await listOwn('pending')).toEqual([memoryOf(10)]);
    expect(await fixture.settle(id)).toBe('nothing waits');
    const { app_memory: made, app_compaction: decided } = await countLedger();
    expect([made - before.app_memory, decided - before.app_compaction]).toEqual([1, 1]);
    await scarce.close();
  });
});
