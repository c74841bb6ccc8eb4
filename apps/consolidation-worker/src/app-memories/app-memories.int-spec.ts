import {
  createTestDatabase,
  type FakeModels,
  type FakeRequest,
  startFakeModels,
  type TestDatabase,
  waitUntil,
} from '@annals/testing';
import type { MindOutcome } from '@annals/runtime';
import { eraseUser, forgetConversation, purgeAppMemories, putApp, replayWork, uninstallApp } from '@annals/storage';
import {
  answerDecision,
  answerMemory,
  AppMemoryFixture,
  type Asked,
  askModels,
  readTask,
} from './app-memories.fixture.js';
import { SummaryService } from '../summaries/summary-service.fixture.js';

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

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test?.drop());

describe('app memories by rules', () => {
  let fixture: AppMemoryFixture;

  beforeAll(async () => {
    fixture = await AppMemoryFixture.open(test, { MEMORY_LLM_PRIMARY: 'local' });
  });
  afterAll(() => fixture?.close());

  it('are made when a conversation of an installed app ends, say so, and cost nothing', async () => {
    const early = await fixture.end(['My manager is Priya.']);
    expect(await fixture.runJob(early)).toBe('done');
    expect([await fixture.listMemories(), await fixture.listRuns(early)]).toEqual([[], []]);
    await fixture.install();
    const open = await fixture.end(['My manager is Priya.'], { threadId: 'open', end: false });
    expect(await fixture.findWork(open)).toBeUndefined();
    const other = await fixture.end(['My manager is Priya.'], { appId: null });
    expect(await fixture.findWork(other)).toBeUndefined();
    const ended = await fixture.end([], { threadId: 'open' });
    expect(ended).toBe(open);
    expect(await fixture.runJob(open)).toBe('done');
    expect(await fixture.listMemories()).toMatchObject([
      { content: expect.stringContaining('Priya') as unknown, state: 'active', provider: 'local' },
    ]);
    expect(await fixture.listRuns(open)).toMatchObject([
      { state: 'done', trigger: 'end', calls: 0, energy: 0, counts: { memories: 1, active: 1, removed: 0 } },
    ]);
    expect(fixture.listLines('app_memory_created')).toMatchObject([{ conversationId: open }]);
    expect(fixture.lines.join('')).not.toContain('Priya');
  });

  it('are replaced when the conversation ends again with more, and left alone when it has nothing new', async () => {
    const before = (await fixture.listMemories()).at(-1)!;
    const id = await fixture.end([], { threadId: 'open' });
    expect(await fixture.runJob(id)).toBe('done');
    expect((await fixture.listMemories()).at(-1)).toEqual(before);
    await fixture.end(['My desk is in Linz.'], { threadId: 'open' });
    await fixture.runJob(id);
    const [old, fresh] = (await fixture.listMemories()).slice(-2);
    expect(old).toMatchObject({ id: before.id, state: 'superseded', replaced_by: fresh!.id });
    expect(fresh).toMatchObject({ state: 'active', content: expect.stringContaining('Linz') as unknown });
  });

  it('are of the app that the conversation ends in', async () => {
    await fixture.install('board');
    const id = await fixture.end(['My sister is called Ida.'], { threadId: 'moving' });
    await fixture.end(['My brother is called Tom.'], { threadId: 'moving', appId: 'board' });
    await fixture.runJob(id);
    const rows = await fixture.inTenant((tx) =>
      tx.query('SELECT app_id, state FROM app_memories WHERE conversation_id = $1', [id]),
    );
    expect(rows).toEqual([{ app_id: 'board', state: 'active' }]);
  });

  it('move with a conversation that names another app without anything new', async () => {
    await fixture.install('board');
    const id = await fixture.end(['My dentist is Dr Moss.'], { threadId: 'renamed' });
    await fixture.runJob(id);
    await fixture.end([], { threadId: 'renamed', appId: 'board' });
    await fixture.runJob(id);
    const rows = await fixture.inTenant((tx) =>
      tx.query('SELECT app_id, state FROM app_memories WHERE conversation_id = $1 ORDER BY state', [id]),
    );
    expect(rows).toEqual([
      { app_id: 'board', state: 'active' },
      { app_id: 'planner', state: 'superseded' },
    ]);
  });

  it('are made when their app is installed again, where it was uninstalled during the run', async () => {
    await fixture.install('brief');
    const id = await fixture.end(['My doctor is Dr Pell.'], { threadId: 'brief', appId: 'brief' });
    const stage = { ...fixture.stage };
    stage.run = async (...given) => {
      const outcome = await fixture.stage.run(...given);
      await fixture.inTenant((tx) => uninstallApp(tx, 'brief'));
      return outcome;
    };
    await fixture.runJob(id, { stage });
    const count = async () => {
      const rows = await fixture.inTenant((tx) => tx.query(`SELECT FROM app_memories WHERE app_id = 'brief'`));
      return rows.length;
    };
    expect(await count()).toBe(0);
    fixture.clock.advance(1_000);
    await fixture.install('brief');
    await fixture.end([], { threadId: 'brief', appId: 'brief' });
    await fixture.runJob(id);
    expect(await count()).toBe(1);
  });

  it('are never more than ten of an app and user, by one decision at a time', async () => {
    for (const at of TOOLS.keys()) {
      const id = await fixture.end([sayOf(at)], { userId: 'ben' });
      expect(await fixture.runJob(id)).toBe('done');
    }
    const rows = await fixture.inTenant((tx) =>
      tx.query(`SELECT state, count(*)::integer AS n FROM app_memories WHERE user_id = 'ben' GROUP BY 1 ORDER BY 1`),
    );
    expect(rows).toEqual([
      { state: 'active', n: 10 },
      { state: 'removed', n: 1 },
    ]);
    expect(fixture.listLines('app_memories_compacted')).toMatchObject([{ action: 'delete' }]);
  });

  it('go with their conversation and their user', async () => {
    const count = async (userId: string) => {
      const [row] = await fixture.inTenant((tx) =>
        tx.query<{ n: number }>('SELECT count(*)::integer AS n FROM app_memories WHERE user_id = $1', [userId]),
      );
      return row!.n;
    };
    const id = await fixture.end(['My cat is called Miso.'], { userId: 'cleo' });
    await fixture.runJob(id);
    expect(await count('cleo')).toBe(1);
    const { clock, ids } = fixture.infrastructure;
    const randomBytes = (length: number) => Buffer.alloc(length, 7);
    await fixture.inTenant((tx) =>
      forgetConversation(
        tx,
        { conversationId: id, actor: 'spec', acceptingRoute: 'postConversation' },
        { clock, ids, randomBytes },
      ),
    );
    expect(await count('cleo')).toBe(0);
    const erasure = { userId: 'ben', actor: 'spec', key: Buffer.alloc(32, 3) };
    await fixture.inTenant((tx) => eraseUser(tx, erasure, { clock, ids, randomBytes }));
    expect(await count('ben')).toBe(0);
  });
});

it('are made by the service from its queue', async () => {
  const service = await SummaryService.start(test);
  const now = service.clock.now();
  await service.inTenant((tx) => putApp(tx, { appId: 'queue', name: 'Queue', isShared: false, now }));
  const id = await service.post('queued', ['My manager is Priya.'], { appId: 'queue', end: true, isIndexed: true });
  const isMade = async () => {
    const rows = await service.inTenant((tx) =>
      tx.query(`SELECT FROM app_memories WHERE conversation_id = $1 AND state = 'active'`, [id]),
    );
    return rows.length === 1;
  };
  await waitUntil(isMade, { describe: 'the app remembers the conversation' });
  await service.stop();
});

describe('app memories by a model', () => {
  let models: FakeModels;
  let fixture: AppMemoryFixture;
  let answer: (request: FakeRequest, task: Asked) => string;
  let users = 0;
  let userId: string;

  beforeAll(async () => {
    models = await startFakeModels({ answer: (request) => answer(request, readTask(request)) });
    fixture = await AppMemoryFixture.open(test, askModels(models));
    await fixture.install();
  });
  afterAll(async () => {
    await fixture?.close();
    await models?.close();
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

  it('are one call, in the ledger and in the energy of apps', async () => {
    const before = await fixture.countLedger();
    const id = await end(0);
    await fixture.settle(id);
    expect(await listOwn('active')).toEqual([memoryOf(0)]);
    expect(await fixture.listRuns(id)).toMatchObject([{ state: 'done', calls: 1, energy: 12 }]);
    expect((await fixture.countLedger())['app_memory']).toBe((before['app_memory'] ?? 0) + 1);
    await fixture.end([], { userId, threadId: id });
    await fixture.settle(id);
    expect((await fixture.countLedger())['app_memory']).toBe((before['app_memory'] ?? 0) + 1);
  });

  it('carry out the one decision about eleven, in the same run', async () => {
    await fillPool();
    const before = calls();
    const id = await end(10);
    expect(await fixture.runJob(id)).toBe('deferred');
    expect([await listOwn('active'), await listOwn('pending')].map(({ length }) => length)).toEqual([10, 1]);
    expect(await fixture.runJob(id)).toBe('done');
    expect(calls() - before).toBe(2);
    const left = [0, 1, 3, 4, 5, 6, 7, 8, 9, 10].map(memoryOf);
    expect([await listOwn('active'), await listOwn('removed'), await listOwn('pending')]).toEqual([
      left,
      [memoryOf(2)],
      [],
    ]);
    expect(await fixture.listRuns(id)).toMatchObject([{ state: 'done', calls: 2, energy: 37, counts: { active: 10 } }]);
  });

  it('merge the new one into the one that the decision names', async () => {
    await fillPool();
    const merged = `${memoryOf(4)} ${memoryOf(10)}`;
    answer = (request, task) => (task === 'compaction' ? answerDecision('edit', 'a5', merged) : tell(request, task));
    await fixture.settle(await end(10));
    expect(await listOwn('active')).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => (at === 4 ? merged : memoryOf(at))),
    );
    expect(await listOwn('superseded')).toEqual([memoryOf(10)]);
  });

  it.each<[string, (request: FakeRequest) => string, number]>([
    ['invents a number', () => answerMemory('The user owns 99 lathes.'), 2],
    ['is no JSON', () => 'I remember.', 2],
  ])('are not made of an answer that %s twice, and not asked for again', async (_what, lie, expected) => {
    answer = lie;
    const before = calls();
    const id = await end(0);
    expect(await fixture.settle(id)).toBe('failed');
    expect(calls() - before).toBe(expected);
    expect([await listOwn('active'), await listOwn('pending')]).toEqual([[], []]);
    expect(await fixture.findWork(id)).toMatchObject({ status: 'failed' });
    answer = tell;
    await fixture.end([], { userId, threadId: id });
    expect(await fixture.settle(id)).toBe('failed');
    expect(calls() - before).toBe(expected);
    const { id: workId } = (await fixture.findWork(id))!;
    await fixture.inTenant((tx) => replayWork(tx, workId, fixture.clock.now()));
    await fixture.settle(id);
    expect(await listOwn('active')).toEqual([memoryOf(0)]);
  });

  it('take the corrected answer', async () => {
    answer = (request, task) =>
      request.userTexts.length > 1 ? tell(request, task) : answerMemory('The user owns 99 lathes.');
    await fixture.settle(await end(0));
    expect(await listOwn('active')).toEqual([memoryOf(0)]);
  });

  it('are none where nothing is worth remembering', async () => {
    answer = () => answerMemory(null);
    const id = await end(0);
    expect(await fixture.settle(id)).toBe('nothing waits');
    expect(await fixture.listRuns(id)).toMatchObject([{ state: 'done', calls: 1, counts: { memories: 0 } }]);
  });

  it.each([
    ['an error', 'transient', () => ({ kind: 'error', status: 500 }) as const],
    ['a hang', 'timeout', () => ({ kind: 'hang' }) as const],
  ])('fail visibly with their first call, after %s', async (_what, code, behave) => {
    models.behave(behave);
    const before = calls();
    const id = await end(0);
    expect(await fixture.settle(id)).toBe('failed');
    expect(calls() - before).toBe(1);
    expect(await fixture.findWork(id)).toMatchObject({ status: 'failed', failure_code: code });
    expect(await fixture.listRuns(id)).toMatchObject([{ state: 'failed', failure_code: code, calls: 1 }]);
    expect(fixture.listLines('app_memory_failed').at(-1)).toMatchObject({ conversationId: id, task: 'creation', code });
  });

  it.each([
    ['an error', 'transient', () => ({ kind: 'error', status: 500 }) as const],
    ['a hang', 'timeout', () => ({ kind: 'hang' }) as const],
    [
      'a target that was not shown, twice',
      'parsing',
      () => ({ kind: 'answer', text: answerDecision('delete', 'a12') }) as const,
    ],
    [
      'an edit that loses a number, twice',
      'invalid_answer',
      () => ({ kind: 'answer', text: answerDecision('edit', 'a1', 'The user owns tools.') }) as const,
    ],
  ])('lose the oldest where a decision is %s', async (_what, code, behave) => {
    await fillPool();
    models.behave((request) => (readTask(request) === 'compaction' ? behave() : undefined));
    const id = await end(10);
    expect(await fixture.settle(id)).toBe('nothing waits');
    expect(await listOwn('active')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(memoryOf));
    expect((await fixture.listRuns(id))[0]).toMatchObject({ state: 'done' });
    expect(fixture.listLines('app_memory_failed').at(-1)).toMatchObject({ task: 'compaction', code });
    expect(fixture.listLines('app_memories_compacted').at(-1)).toMatchObject({ conversationId: id, action: 'fifo' });
  });

  it('decide about the one that waits where a later one of its conversation cannot be made', async () => {
    await fillPool();
    const id = await end(10);
    expect(await fixture.runJob(id)).toBe('deferred');
    expect(await listOwn('pending')).toEqual([memoryOf(10)]);
    models.behave((request) => (readTask(request) === 'creation' ? { kind: 'error', status: 500 } : undefined));
    await fixture.end(['Milk is out.'], { userId, threadId: id });
    expect(await fixture.settle(id)).toBe('nothing waits');
    expect(await listOwn('pending')).toEqual([]);
    expect(await listOwn('active')).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9, 10].map(memoryOf));
    expect(fixture.listLines('app_memory_failed').at(-1)).toMatchObject({ conversationId: id, task: 'creation' });
  });

  it('lose the oldest where the target of the decision has changed meanwhile', async () => {
    await fillPool();
    let isChanged = false;
    const stage = { ...fixture.stage };
    stage.run = async (...given) => {
      const outcome = await fixture.stage.run(...given);
      if (given[1].conversation.pending && !isChanged) {
        isChanged = true;
        await fixture.inTenant((tx) =>
          tx.execute(`UPDATE app_memories SET content = 'The user owns a boat.' WHERE user_id = $1 AND content = $2`, [
            userId,
            memoryOf(2),
          ]),
        );
      }
      return outcome;
    };
    await fixture.settle(await end(10), { stage });
    expect(await listOwn('active')).toEqual([
      memoryOf(1),
      'The user owns a boat.',
      ...[3, 4, 5, 6, 7, 8, 9, 10].map(memoryOf),
    ]);
    expect(fixture.listLines('app_memory_failed').at(-1)).toMatchObject({ code: 'pool_changed' });
  });

  it.each([
    ['the creation and its effect', 1, { app_memory: 2, app_compaction: 1 }],
    ['the decision and its effect', 2, { app_memory: 1, app_compaction: 2 }],
  ] as const)('have one effect when the worker dies between %s', async (_where, dies, expected) => {
    await fillPool();
    const before = { ...(await fixture.countLedger()), received: calls() };
    const id = await end(10);
    let runs = 0;
    const dead = Promise.withResolvers<void>();
    const stage = { ...fixture.stage };
    stage.run = async (...given): Promise<MindOutcome> => {
      const outcome = await fixture.stage.run(...given);
      runs += 1;
      if (runs < dies) return outcome;
      dead.resolve();
      return new Promise<MindOutcome>(() => undefined);
    };
    const dying =
      dies === 1
        ? fixture.runJob(id, { stage })
        : fixture.runJob(id, { stage }).then(() => fixture.runJob(id, { stage }));
    void dying;
    await dead.promise;
    expect(await listOwn('active')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(memoryOf));
    fixture.clock.advance(60_000);
    expect(await fixture.settle(id)).toBe('nothing waits');
    expect(await listOwn('active')).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9, 10].map(memoryOf));
    expect([await listOwn('removed'), await listOwn('pending')]).toEqual([[memoryOf(2)], []]);
    const ledger = await fixture.countLedger();
    const added = (operation: string) => ledger[operation]! - (before[operation as 'received'] ?? 0);
    expect({ app_memory: added('app_memory'), app_compaction: added('app_compaction') }).toEqual(expected);
    expect(calls() - before.received).toBe(3);
  });

  it.each(['deletion', 'echo'] as const)('are not made of a message that a %s hides during the run', async (by) => {
    const id = await fixture.end([sayOf(0), sayOf(1)], { userId });
    let isHidden = false;
    const stage = { ...fixture.stage };
    stage.run = async (...given) => {
      const outcome = await fixture.stage.run(...given);
      if (!isHidden) {
        isHidden = true;
        await fixture.hideFirstMessage(id, by);
      }
      return outcome;
    };
    await fixture.settle(id, { stage });
    expect(await listOwn('active')).toEqual([memoryOf(1)]);
  });

  it('are made when the conversation is indexed, not before', async () => {
    const before = calls();
    const id = await fixture.endUnindexed([sayOf(0)], { userId });
    expect(await fixture.runJob(id)).toBe('deferred');
    expect(await fixture.findWork(id)).toMatchObject({ status: 'deferred', deferred_reason: 'not_due' });
    expect([calls() - before, await listOwn('active')]).toEqual([0, []]);
    await fixture.index(id);
    expect(await fixture.findWork(id)).toMatchObject({ status: 'waiting' });
    expect(await fixture.settle(id)).toBe('nothing waits');
    expect(await listOwn('active')).toEqual([memoryOf(0)]);
  });

  it('are not written by a run that a purge overtakes', async () => {
    const id = await end(0);
    const stage = { ...fixture.stage };
    stage.run = async (...given) => {
      const outcome = await fixture.stage.run(...given);
      const request = { now: fixture.clock.now(), ids: fixture.infrastructure.ids, trace: null };
      await fixture.inTenant((tx) => purgeAppMemories(tx, { appId: 'planner', userId }, request));
      return outcome;
    };
    await fixture.runJob(id, { stage });
    expect([await listOwn('active'), await fixture.settle(id)]).toEqual([[], 'nothing waits']);
  });

  it('are of all users of a shared app', async () => {
    await fixture.install('together', true);
    for (let at = 0; at < 11; at += 1) {
      await fixture.settle(await fixture.end([sayOf(at)], { userId: `${userId}-${at % 2}`, appId: 'together' }));
    }
    const [row] = await fixture.inTenant((tx) =>
      tx.query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM app_memories WHERE app_id = 'together' AND state = 'active'`,
      ),
    );
    expect(row!.n).toBe(10);
  });
});
