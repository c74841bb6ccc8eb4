import { editUserContext, eraseUser, getMemory, getUserContext, writeMemories } from '@annals/storage';
import { createTestDatabase, type FakeModels, startFakeModels, type TestDatabase, waitUntil } from '@annals/testing';
import { randomBytes } from '@annals/runtime';
import { describeModel, HOUR_MS, TomInsightService } from './tom-insight-service.fixture.js';

const DAY_MS = 24 * HOUR_MS;
const SHORT = 'The user prefers bare totals.';

interface Answered {
  readonly summary?: string;
  readonly evidence?: readonly string[];
  readonly [field: string]: unknown;
}
const insight = (fields: Answered = {}) => ({
  summary: SHORT,
  tags: ['style'],
  confidence: 0.6,
  evidence: ['m1'],
  field: null,
  value: null,
  ...fields,
});
const answer = (...insights: readonly object[]) => JSON.stringify({ insights });

describe('insights by a model', () => {
  let database: TestDatabase;
  let models: FakeModels;
  let service: TomInsightService;
  let users = 0;
  let user: string;
  let onAsk: () => string | Promise<string>;

  beforeAll(async () => {
    models = await startFakeModels({ answer: () => onAsk() });
    database = await createTestDatabase();
    service = await TomInsightService.start(database, describeModel(models));
  });
  beforeEach(() => {
    user = `user-${(users += 1)}`;
    onAsk = () => answer(insight());
    models.journal.clear();
  });
  afterAll(async () => {
    await service?.stop();
    await models?.close();
    await database?.drop();
  });

  const calls = () => models.journal.generated.map(({ request }) => request);
  const contents = async () => (await service.listInsights(user)).map(({ content, state }) => `${state}: ${content}`);
  /** One batch, and the run that it asks for. */
  const think = async (content = 'Just the total.', more = {}) => {
    const before = (await service.listRuns(user)).length;
    await service.speak(user, content, more);
    await service.waitForRuns(user, before + 1);
    await service.waitUntilQuiet(user);
  };
  const deps = () => ({ clock: service.clock, ids: service.running.infrastructure.ids, randomBytes });
  const setInsights = (insights: 'on' | 'off') =>
    service.inTenant((tx) =>
      editUserContext(tx, { userId: user, actor: 'key', edit: { insights }, expectedRevision: null }, deps()),
    );

  it('are made after a batch, with what they rest on and cost', async () => {
    onAsk = () => answer(insight({ evidence: ['m1', 'k1', 'k9'] }));
    await think('Just the total.', { statement: 'The user reads totals.', threadId: 'talk' });
    const [made] = await service.listInsights(user);
    expect(made).toMatchObject({ content: SHORT, state: 'current', tags: ['style'], confidence: 0.6 });
    expect(made!.ground).toMatchObject([
      { kind: 'message', content: 'Just the total.', thread_id: 'talk', role: 'user' },
      { kind: 'memory', content: 'The user reads totals.', state: 'stands' },
    ]);
    const [run] = await service.listRuns(user);
    expect(run).toMatchObject({
      kind: 'insights',
      trigger: 'batch',
      state: 'done',
      calls: 1,
      energy: 8,
      counts: { messages: 1, memories: 1, drafted: 1, refused: 0, created: 1 },
    });
    const memory = await service.inTenant((tx) => getMemory(tx, made!.id));
    expect(memory).toMatchObject({ type: 'insight', category: 'relationship_dynamic', importance: 2, pinned: false });
    expect(memory!.provenance).toMatchObject({ provider: 'claude', cost_micro_usd: run!.cost_micro_usd });
    expect(run!.cost_micro_usd).toBeGreaterThan(0);
    const [call] = calls();
    expect(call).toMatchObject({ maxOutputTokens: 220 });
    const usage = await service.inTenant((tx) => tx.query(`SELECT operation, user_id FROM usage`));
    expect(usage).toContainEqual({ operation: 'insights', user_id: null });
    // Neither words nor the person's id leave for log or queue.
    expect(service.lines.join('')).not.toMatch(/total|user-\d/u);
  });

  it('without evidence are quarantined', async () => {
    onAsk = () => answer(insight({ evidence: ['m7', 'c1'] }));
    await think();
    expect(await service.listInsights(user)).toMatchObject([
      { state: 'quarantined', quarantine_reason: 'no_evidence' },
    ]);
    const read = await service.inTenant((tx) =>
      tx.query(`SELECT t.content FROM insight_grounds g JOIN messages t ON t.id = g.message_id WHERE g.user_id = $1`, [
        user,
      ]),
    );
    expect(read).toEqual([{ content: 'Just the total.' }]);
  });

  it.each([
    ['about health', { summary: 'The user seems depressed.' }],
    ['with an invented number', { summary: 'The user checks 14 totals.' }],
    ['that turn a negation', { summary: 'The user trusts the forecast.' }],
    ['in the assistant’s name', { summary: 'The user trusts the assistant because it is quick.' }],
    ['too long', { summary: `The user likes ${'totals and '.repeat(30)}sums.` }],
  ])('%s are refused', async (_what, fields) => {
    onAsk = () => answer(insight(fields));
    await think('I do not trust the forecast. Just the total.');
    expect(await contents()).toEqual([]);
    expect((await service.listRuns(user))[0]).toMatchObject({ state: 'done', counts: { drafted: 1, refused: 1 } });
  });

  it('make no row when there is nothing to say', async () => {
    onAsk = () => answer();
    await think();
    expect(await contents()).toEqual([]);
    expect(await service.findWork(user)).toBeUndefined();
  });

  it('that contradict an earlier one end it', async () => {
    onAsk = () => answer(insight({ summary: 'The user prefers short answers.' }));
    await think();
    onAsk = () => answer(insight({ summary: 'The user prefers detailed answers.' }));
    service.advance(DAY_MS);
    await think('Tell me everything.');
    expect(await contents()).toEqual([
      'current: The user prefers detailed answers.',
      'superseded: The user prefers short answers.',
    ]);
  });

  it('that are certain change the tone of the user context', async () => {
    onAsk = () => answer(insight({ confidence: 0.9, field: 'tone', value: 'concise' }));
    await think();
    expect(await service.inTenant((tx) => getUserContext(tx, user))).toMatchObject({ tone: 'concise' });
  });

  it('are neither asked for nor made for a person who has switched them off', async () => {
    await setInsights('off');
    await service.speak(user, 'Just the total.');
    await service.waitUntilQuiet(user);
    expect(calls()).toEqual([]);
    expect(await service.listRuns(user)).toEqual([]);
    await setInsights('on');
    await think('Numbers only.');
    expect(await contents()).toHaveLength(1);
  });

  it('are not made for who switches them off, or is erased, while the model thinks', async () => {
    onAsk = async () => {
      await setInsights('off');
      return answer(insight());
    };
    await think();
    expect(await contents()).toEqual([]);
    user = `user-${(users += 1)}`;
    const key = Buffer.alloc(32, 1);
    onAsk = async () => {
      await service.inTenant((tx) => eraseUser(tx, { userId: user, actor: 'key', key }, deps()));
      return answer(insight());
    };
    await service.speak(user, 'Just the total.');
    await service.waitUntilQuiet(user);
    expect(await service.listInsights(user)).toEqual([]);
    expect(await service.inTenant((tx) => tx.query('SELECT FROM users WHERE user_id = $1', [user]))).toEqual([]);
  });

  it('do not rest on what was deleted while the model thinks', async () => {
    onAsk = async () => {
      const [memory] = await service.inTenant((tx) =>
        tx.query<{ id: string }>(`SELECT id FROM memories WHERE user_id = $1`, [user]),
      );
      const changes = [{ kind: 'delete', memoryId: memory!.id, by: 'user' }] as const;
      await service.inTenant((tx) => writeMemories(tx, { userId: user, actor: 'key', node: 'api', changes }, deps()));
      return answer(insight());
    };
    await think('Just the total.', { statement: 'The user reads totals.' });
    expect(await contents()).toEqual([]);
    expect((await service.listRuns(user))[0]).toMatchObject({ counts: { groundless: 1, created: 0 } });
  });

  it('of an unreadable answer are asked for once more, and then fail visibly', async () => {
    onAsk = () => 'I would rather not.';
    await service.speak(user, 'Just the total.');
    await service.waitUntilQuiet(user);
    expect(calls()).toHaveLength(2);
    expect((await service.listRuns(user))[0]).toMatchObject({ state: 'failed', failure_code: 'parsing', calls: 2 });
    // Each failed call counts: after the third, nothing is asked until something changes.
    for (let day = 0; day < 5; day += 1) {
      service.advance(DAY_MS);
      await service.waitUntilQuiet(user);
    }
    expect(await service.findWork(user)).toMatchObject({ status: 'failed', failure_code: 'parsing' });
    expect(calls()).toHaveLength(4);
    onAsk = () => answer(insight());
    await service.speak(user, 'Numbers only.');
    await service.waitForRuns(user, 3);
    expect(await contents()).toEqual([`current: ${SHORT}`]);
  });

  it('wait for a model that is away, without failing', async () => {
    models.outage(true);
    await service.speak(user, 'Just the total.');
    await service.waitUntilQuiet(user);
    models.outage(false);
    expect(await service.findWork(user)).toMatchObject({ status: 'deferred', deferred_reason: 'provider_unavailable' });
    service.advance(2 * HOUR_MS);
    await service.waitUntilQuiet(user);
    expect(await contents()).toEqual([`current: ${SHORT}`]);
  });

  it('carry nothing from one agent to another', async () => {
    await service.speak(user, 'For the planner alone.', { agentId: 'planner' });
    await service.waitForRuns(user, 1);
    await service.waitUntilQuiet(user);
    models.journal.clear();
    service.advance(DAY_MS);
    await think('For the supervisor.', { agentId: 'supervisor' });
    expect(calls()[0]!.userTexts.join('')).not.toContain('planner');
    expect((await service.listInsights(user)).map(({ agent_id }) => agent_id)).toContain('planner');
  });

  it('are made once when the worker is replaced before it commits', async () => {
    let isFirst = true;
    onAsk = async () => {
      if (isFirst) {
        isFirst = false;
        // As the claim of a killed worker after its lease: another one has taken the work.
        await service.inTenant((tx) =>
          tx.execute(
            `UPDATE work SET fence = fence + 1, claimed_until = NULL WHERE kind = 'insights' AND subject_id =
               (SELECT subject_id FROM users WHERE user_id = $1)`,
            [user],
          ),
        );
      }
      return answer(insight());
    };
    await service.speak(user, 'Just the total.');
    service.advance(HOUR_MS);
    const settled = async () => (await service.findWork(user)) === undefined;
    await waitUntil(
      async () => {
        // The sweep finds the work whose job ended without it.
        await service.inTenant((tx) =>
          tx.execute(
            `UPDATE work SET released_at = NULL, leased_until = NULL, generation = generation + 1
              WHERE kind = 'insights' AND claimed_until IS NULL AND released_at IS NOT NULL AND subject_id =
                (SELECT subject_id FROM users WHERE user_id = $1)`,
            [user],
          ),
        );
        service.advance(0);
        return settled();
      },
      { describe: 'the work has ended' },
    );
    expect(await contents()).toEqual([`current: ${SHORT}`]);
  });
});

describe('the temperature of insights', () => {
  it('is 0 where the model takes one', async () => {
    const models = await startFakeModels({ answer: () => answer(insight()) });
    const database = await createTestDatabase();
    const service = await TomInsightService.start(database, {
      MEMORY_LLM_PRIMARY: 'openai',
      MEMORY_LLM_OPENAI_API_KEY: 'sk-test-0123456789',
      MEMORY_LLM_OPENAI_BASE_URL: models.openaiUrl,
      MEMORY_LLM_OPENAI_MODEL: 'gpt-6-luna',
    });
    try {
      await service.speak('ann', 'Just the total.');
      await service.waitForRuns('ann', 1);
      const answered = models.journal.generated.filter(({ status }) => status === 200);
      expect(answered.map(({ request }) => request.body)).toMatchObject([{ temperature: 0 }]);
    } finally {
      await service.stop();
      await models.close();
      await database.drop();
    }
  });
});

describe('insights without a model', () => {
  let database: TestDatabase;
  let service: TomInsightService;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await TomInsightService.start(database);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  const SAID = [
    'The deadline for the report worries me.',
    'Another deadline tomorrow, I am nervous.',
    'My boss moved the deadline again.',
    'I dread the next deadline.',
  ];

  it('are found by rules, say so, and are the same for the same messages', async () => {
    const start = service.clock.now() - 10 * DAY_MS;
    for (const user of ['ann', 'bob']) {
      for (const [day, content] of SAID.entries()) {
        await service.speak(user, content, { threadId: `${user} ${day}`, saidAt: start + day * DAY_MS });
        await service.waitUntilQuiet(user);
      }
      service.advance(DAY_MS + HOUR_MS);
      await service.waitUntilQuiet(user);
    }
    const [ann, bob] = [await service.listInsights('ann'), await service.listInsights('bob')];
    const current = ann.filter(({ state }) => state === 'current');
    expect(current.map(({ content }) => content)).toContainEqual(expect.stringMatching(/^Mentions .*deadline/u));
    expect(current.every(({ provider, ground }) => provider === 'local' && ground.length > 0)).toBe(true);
    expect(bob.map(({ content }) => content)).toEqual(ann.map(({ content }) => content));
    expect((await service.listRuns('ann')).every(({ calls, energy }) => calls === 0 && energy === 0)).toBe(true);
  });
});
