import { createTestDatabase, type TestDatabase, waitUntil } from '@annals/testing';
import { eraseUser, forgetConversation, putApp, uninstallApp } from '@annals/storage';
import { AppMemoryFixture, sayOf, TOOLS } from './app-memories.fixture.js';
import { SummaryService } from '../summaries/summary-service.fixture.js';

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
      await fixture.inTenant((tx) => uninstallApp(tx, 'brief', fixture.clock.now()));
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
