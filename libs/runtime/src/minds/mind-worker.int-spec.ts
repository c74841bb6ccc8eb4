import { MAX_MIND_FAILURES } from '@annals/domain';
import { drawEnergy, enqueueWork, eraseUser, queueMindRun, readEnergy, readMindRun, replayWork } from '@annals/storage';
import { randomBytes } from '../infrastructure/process-context.js';
import type { MindOutcome, MindRun } from './mind-stage.js';
import { ENERGY, MindsFixture } from './minds.fixture.js';

const HOUR = 3_600_000;
const NOTHING: MindOutcome = { outcome: 'done', counts: {} };

describe('a mind', () => {
  let fixture: MindsFixture;

  beforeAll(async () => {
    fixture = await MindsFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    fixture.models.behave(undefined);
    // A full meter for each test.
    fixture.calls.clock.advance(2 * HOUR);
  });

  const callsReceived = () => fixture.models.journal.generated.length;
  const level = async () =>
    (await fixture.inTenant((tx) => readEnergy(tx, { now: fixture.calls.clock.now(), limits: ENERGY }))).levelMilli;
  /** Asks a model for a word, and changes the user. */
  const thinking = (job: { subjectId: string }) => {
    const caller = fixture.createCaller();
    return fixture.stage(async (run) => {
      const answer = await fixture.askWord(caller, run);
      if (answer.outcome !== 'answered') return answer;
      return { outcome: 'done', counts: { words: 1 }, effect: (tx) => fixture.change(tx, job) };
    });
  };
  const runUntilQuiet = async (job: { subjectId: string }, stage = thinking(job), rounds = 12): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      await fixture.runJob(job, stage).catch(() => undefined);
      const work = await fixture.findWork(job);
      if (!work || work.status === 'failed') return;
      fixture.calls.clock.advance(2 * HOUR);
    }
  };

  it('records what a run did and cost, and asks nothing when nothing has changed since', async () => {
    const job = await fixture.addUser();
    const before = callsReceived();
    expect(await fixture.runJob(job, thinking(job))).toBe('done');
    const [run] = await fixture.listRuns(job.subjectId);
    expect(run).toMatchObject({
      kind: 'insights',
      state: 'done',
      trigger: 'batch',
      counts: { words: 1 },
      calls: 1,
      energy: 8,
      failure_code: null,
    });
    expect(run!.tokens.input).toBeGreaterThan(0);
    expect(run!.cost_micro_usd).toBeGreaterThan(0);
    // Its own write has moved the watermark, which is no reason for another run.
    await fixture.ask(job.subjectId);
    expect(await fixture.runJob(job, thinking(job))).toBe('done');
    expect(callsReceived() - before).toBe(1);
    expect(await fixture.listRuns(job.subjectId)).toHaveLength(1);
    await fixture.inTenant((tx) => fixture.change(tx, job));
    await fixture.ask(job.subjectId);
    await fixture.runJob(job, thinking(job));
    expect(callsReceived() - before).toBe(2);
  });

  it('sees in the next run what somebody else wrote during this one', async () => {
    const job = await fixture.addUser();
    let runs = 0;
    const stage = fixture.stage(async () => {
      runs += 1;
      if (runs === 1) await fixture.inTenant((tx) => fixture.change(tx, job));
      return { outcome: 'done', counts: {}, effect: (tx) => fixture.change(tx, job) };
    });
    await fixture.runJob(job, stage);
    for (let again = 0; again < 3; again += 1) {
      await fixture.ask(job.subjectId);
      await fixture.runJob(job, stage);
    }
    expect(runs).toBe(2);
  });

  it('asks a provider that always fails a fixed number of times, then nothing until something changes', async () => {
    const job = await fixture.addUser();
    fixture.models.behave(() => ({ kind: 'error', status: 500 }));
    const before = callsReceived();
    await runUntilQuiet(job);
    expect(callsReceived() - before).toBe(MAX_MIND_FAILURES);
    expect(await fixture.findWork(job)).toMatchObject({ status: 'failed', failure_code: 'transient' });
    const failed = (await fixture.listRuns(job.subjectId)).filter(({ state }) => state === 'failed');
    expect(failed.map(({ calls }) => calls)).toEqual([1, 1, 1]);
    for (let day = 0; day < 3; day += 1) {
      await fixture.ask(job.subjectId);
      await runUntilQuiet(job);
    }
    expect(callsReceived() - before).toBe(MAX_MIND_FAILURES);
    expect(await fixture.findWork(job)).toMatchObject({ status: 'failed', failure_code: 'too_many_failures' });
    fixture.models.behave(undefined);
    await fixture.inTenant((tx) => fixture.change(tx, job));
    await fixture.ask(job.subjectId);
    await runUntilQuiet(job);
    expect(callsReceived() - before).toBe(MAX_MIND_FAILURES + 1);
    expect((await fixture.listRuns(job.subjectId))[0]).toMatchObject({ state: 'done' });
  });

  it('tries again what somebody replays by hand', async () => {
    const job = await fixture.addUser();
    fixture.models.behave(() => ({ kind: 'error', status: 500 }));
    await runUntilQuiet(job);
    fixture.models.behave(undefined);
    const { id } = (await fixture.findWork(job))!;
    await fixture.inTenant((tx) => replayWork(tx, id, fixture.calls.clock.now()));
    expect(await fixture.runJob(job, thinking(job))).toBe('done');
  });

  it('goes on with a dry run by hand that failed when its work is replayed, and writes nothing', async () => {
    const job = await fixture.addUser();
    const { clock, ids } = fixture.calls;
    const id = ids.next();
    const asked = { id, kind: 'insights', subjectId: job.subjectId, userId: null, isDryRun: true } as const;
    await fixture.inTenant((tx) => queueMindRun(tx, { ...asked, startedAt: clock.now() }));
    fixture.models.behave(() => ({ kind: 'error', status: 500 }));
    await runUntilQuiet(job);
    expect(await fixture.listRuns(job.subjectId)).toMatchObject([{ id, state: 'failed' }]);
    fixture.models.behave(undefined);
    const failed = (await fixture.findWork(job))!;
    await fixture.inTenant((tx) => replayWork(tx, failed.id, clock.now()));
    const changed = vi.fn();
    const stage = fixture.stage(async () => ({ outcome: 'done', counts: {}, effect: async () => changed() }));
    expect(await fixture.runJob(job, stage)).toBe('done');
    expect(changed).not.toHaveBeenCalled();
    expect(await fixture.listRuns(job.subjectId)).toMatchObject([{ id, state: 'done', failure_code: null }]);
  });

  it('counts an error of its own as a failure too, and undoes what it has begun', async () => {
    const job = await fixture.addUser();
    const broken = fixture.stage(async () => ({
      outcome: 'done',
      counts: {},
      effect: async (tx) => {
        await fixture.change(tx, job);
        throw new Error('Ada lives in Bern.');
      },
    }));
    for (let attempt = 0; attempt < MAX_MIND_FAILURES; attempt += 1) {
      await expect(fixture.runJob(job, broken)).rejects.toThrow();
    }
    const [run] = await fixture.listRuns(job.subjectId);
    expect(run).toMatchObject({ state: 'failed', failure_code: 'internal' });
    const ran = vi.fn(async () => NOTHING);
    await expect(fixture.runJob(job, fixture.stage(ran))).rejects.toMatchObject({ code: 'too_many_failures' });
    expect(ran).not.toHaveBeenCalled();
  });

  it('has one effect when its worker dies before the commit, and shows the interrupted run', async () => {
    const job = await fixture.addUser();
    const caller = fixture.createCaller();
    const asked = Promise.withResolvers<void>();
    const dying = fixture.stage(async (run) => {
      await fixture.askWord(caller, run);
      asked.resolve();
      return new Promise<MindOutcome>(() => undefined);
    });
    void fixture.runJob(job, dying);
    await asked.promise;
    const drawn = await level();
    fixture.calls.clock.advance(60_000);
    expect(await fixture.runJob(job, thinking(job))).toBe('done');
    const runs = await fixture.listRuns(job.subjectId);
    expect(runs.map(({ state, failure_code }) => [state, failure_code])).toEqual([
      ['done', null],
      ['failed', 'interrupted'],
    ]);
    // What the dead one drew stays drawn, once.
    expect(runs.map(({ energy, calls }) => [energy, calls])).toEqual([
      [8, 1],
      [8, 1],
    ]);
    expect(drawn).toBe(92_000);
  });

  it('writes nothing when another worker has taken its work', async () => {
    const job = await fixture.addUser();
    let taken: Promise<unknown> = Promise.resolve();
    const slow = fixture.stage(async () => {
      fixture.calls.clock.advance(60_000);
      taken = fixture.runJob(job, thinking(job));
      await taken;
      return { outcome: 'done', counts: { lost: 1 }, effect: (tx) => fixture.change(tx, job) };
    });
    expect(await fixture.runJob(job, slow)).toBe('skipped');
    const done = (await fixture.listRuns(job.subjectId)).filter(({ state }) => state === 'done');
    expect(done.map(({ counts }) => counts)).toEqual([{ words: 1 }]);
  });

  it('leaves nothing of a user who is erased during the run', async () => {
    const job = await fixture.addUser();
    const stage = fixture.stage(async (run) => {
      const { clock, ids } = fixture.calls;
      const erasure = { userId: run.userId!, actor: 'spec', key: Buffer.alloc(32, 3) };
      await fixture.inTenant((tx) => eraseUser(tx, erasure, { clock, ids, randomBytes }));
      return { outcome: 'done', counts: {}, effect: (tx) => fixture.change(tx, job) };
    });
    expect(await fixture.runJob(job, stage)).toBe('skipped');
    const left = await fixture.inTenant((tx) =>
      tx.query(
        'SELECT FROM mind_runs WHERE subject_id = $1 UNION ALL SELECT FROM mind_watermarks WHERE subject_id = $1',
        [job.subjectId],
      ),
    );
    expect(left).toEqual([]);
  });

  it('plans in a dry run that was asked for by hand, writes nothing, and leaves the work for the next run', async () => {
    const job = await fixture.addUser();
    const [user] = await fixture.inTenant((tx) =>
      tx.query<{ user_id: string }>('SELECT user_id FROM users WHERE subject_id = $1', [job.subjectId]),
    );
    const id = fixture.calls.ids.next();
    const { clock, ids } = fixture.calls;
    await fixture.inTenant(async (tx) => {
      const { subjectId } = job;
      await queueMindRun(tx, {
        id,
        kind: 'insights',
        subjectId,
        userId: user!.user_id,
        isDryRun: true,
        startedAt: clock.now(),
      });
      const request = { kind: 'insights', subjectId, availableAt: clock.now(), trace: null } as const;
      await enqueueWork(tx, [request], { now: clock.now(), ids });
    });
    expect(await fixture.inTenant((tx) => readMindRun(tx, id))).toMatchObject({ state: 'queued', trigger: 'manual' });
    const seen: MindRun[] = [];
    const changed = vi.fn();
    const stage = fixture.stage(async (run) => {
      seen.push(run);
      return { outcome: 'done', counts: { planned: 1 }, effect: async () => changed() };
    });
    await fixture.runJob(job, stage);
    expect(seen).toMatchObject([{ id, isDryRun: true, trigger: 'manual' }]);
    expect(changed).not.toHaveBeenCalled();
    expect(await fixture.inTenant((tx) => readMindRun(tx, id))).toMatchObject({
      state: 'done',
      counts: { planned: 1 },
    });
    await fixture.ask(job.subjectId);
    await fixture.runJob(job, stage);
    expect(changed).toHaveBeenCalledOnce();
  });

  it.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['fails', async (): Promise<MindOutcome> => ({ outcome: 'failed', code: 'transient' })],
    ['loses its worker', () => new Promise<MindOutcome>(() => undefined)],
  ])('goes on with a dry run that was asked for by hand, as a dry run, when it %s', async (setback, suffer) => {
    const job = await fixture.addUser();
    const { clock, ids } = fixture.calls;
    const id = ids.next();
    const asked = { id, kind: 'insights', subjectId: job.subjectId, userId: null, isDryRun: true } as const;
    await fixture.inTenant((tx) => queueMindRun(tx, { ...asked, startedAt: clock.now() }));
    const begun = Promise.withResolvers<void>();
    const seen: MindRun[] = [];
    const changed = vi.fn();
    const stage = fixture.stage(async (run): Promise<MindOutcome> => {
      seen.push(run);
      begun.resolve();
      return seen.length === 1 ? suffer() : { outcome: 'done', counts: {}, effect: async () => changed() };
    });
    const first = fixture.runJob(job, stage).catch(() => undefined);
    await begun.promise;
    if (setback !== 'loses its worker') {
      await first;
      expect(await fixture.listRuns(job.subjectId)).toMatchObject([
        { id, state: 'deferred', failure_code: expect.any(String) as unknown },
      ]);
    }
    clock.advance(HOUR);
    expect(await fixture.runJob(job, stage)).toBe('done');
    expect(seen.map((run) => [run.id, run.isDryRun])).toEqual([
      [id, true],
      [id, true],
    ]);
    expect(changed).not.toHaveBeenCalled();
    expect(await fixture.listRuns(job.subjectId)).toMatchObject([{ id, state: 'done', failure_code: null }]);
  });

  it('leaves no run in work when its worker has died and there is nothing to do any more', async () => {
    const job = await fixture.addUser();
    const begun = Promise.withResolvers<void>();
    const dying = fixture.stage(() => {
      begun.resolve();
      return new Promise<MindOutcome>(() => undefined);
    });
    void fixture.runJob(job, dying);
    await begun.promise;
    fixture.calls.clock.advance(60_000);
    const off = fixture.stage(async () => NOTHING, { isOff: true });
    expect(await fixture.runJob(job, off)).toBe('done');
    expect(await fixture.listRuns(job.subjectId)).toMatchObject([{ state: 'failed', failure_code: 'interrupted' }]);
  });

  it('has failed by hand with the third failure, as one run', async () => {
    const job = await fixture.addUser();
    const { clock, ids } = fixture.calls;
    const id = ids.next();
    const asked = { id, kind: 'insights', subjectId: job.subjectId, userId: null, isDryRun: false } as const;
    await fixture.inTenant((tx) => queueMindRun(tx, { ...asked, startedAt: clock.now() }));
    fixture.models.behave(() => ({ kind: 'error', status: 500 }));
    await runUntilQuiet(job);
    expect(await fixture.listRuns(job.subjectId)).toMatchObject([
      { id, state: 'failed', failure_code: 'transient', calls: MAX_MIND_FAILURES },
    ]);
  });

  it('runs everything that was asked for by hand, one after another, without waiting for its turn', async () => {
    const job = await fixture.addUser();
    const [user] = await fixture.inTenant((tx) =>
      tx.query<{ user_id: string }>('SELECT user_id FROM users WHERE subject_id = $1', [job.subjectId]),
    );
    const { clock, ids } = fixture.calls;
    const ran: MindRun[] = [];
    const stage = fixture.stage(
      async (run) => {
        ran.push(run);
        return NOTHING;
      },
      { notBefore: clock.now() + 24 * HOUR },
    );
    expect(await fixture.runJob(job, stage)).toBe('deferred');
    const queued = [ids.next(), ids.next()];
    for (const id of queued) {
      const run = { id, kind: 'insights', subjectId: job.subjectId, userId: user!.user_id } as const;
      await fixture.inTenant((tx) => queueMindRun(tx, { ...run, isDryRun: true, startedAt: clock.now() }));
    }
    const { due_at, status } = (await fixture.findWork(job))!;
    expect([status, Date.parse(due_at)]).toEqual(['waiting', clock.now()]);
    await fixture.runJob(job, stage);
    await fixture.runJob(job, stage);
    expect(ran.map(({ id }) => id)).toEqual(queued);
    expect(await fixture.findWork(job)).toBeUndefined();
  });

  it('waits visibly until it is due, unless somebody asks for it by hand, and ends when it is off', async () => {
    const job = await fixture.addUser();
    const until = fixture.calls.clock.now() + HOUR;
    const ran = vi.fn(async () => NOTHING);
    expect(await fixture.runJob(job, fixture.stage(ran, { notBefore: until }))).toBe('deferred');
    expect(await fixture.findWork(job)).toMatchObject({ status: 'deferred', deferred_reason: 'not_due' });
    expect(await fixture.runJob(job, fixture.stage(ran, { isOff: true }))).toBe('done');
    expect([ran.mock.calls.length, await fixture.listRuns(job.subjectId)]).toEqual([0, []]);
  });

  it('goes on as the same run after it waited for energy, which refused calls do not cost', async () => {
    const job = await fixture.addUser();
    const caller = fixture.createCaller();
    const greedy = fixture.stage(async (run) => {
      let words = 0;
      for (;;) {
        const answer = await fixture.askWord(caller, run);
        if (answer.outcome !== 'answered')
          return words > 0 && answer.outcome === 'wait'
            ? { outcome: 'done', counts: { words }, latest: { calls_received: callsReceived() }, rest: answer.ending }
            : answer;
        words += 1;
      }
    });
    const before = callsReceived();
    expect(await fixture.runJob(job, greedy)).toBe('deferred');
    expect(callsReceived() - before).toBe(10);
    expect(await level()).toBe(20_000);
    expect(await fixture.findWork(job)).toMatchObject({ status: 'deferred', deferred_reason: 'energy' });
    const { due_at } = (await fixture.findWork(job))!;
    expect(Date.parse(due_at)).toBeGreaterThanOrEqual(fixture.calls.clock.now() + 0.08 * HOUR);
    fixture.calls.clock.advance(2 * HOUR);
    await fixture.runJob(job, greedy);
    // Nothing is done in this part, since there is no energy.
    await fixture.runJob(job, greedy);
    const counts = { words: 20, calls_received: before + 20 };
    expect(await fixture.listRuns(job.subjectId)).toMatchObject([
      { state: 'deferred', calls: 20, energy: 160, counts },
    ]);
  });

  it.each([401, 402, 404, 429])(
    'waits without a failure while the provider refuses all calls with %i',
    async (status) => {
      const job = await fixture.addUser();
      fixture.models.behave(() => ({ kind: 'error', status }));
      const before = callsReceived();
      for (let round = 0; round < 5; round += 1) {
        expect(await fixture.runJob(job, thinking(job))).toBe('deferred');
        expect(await fixture.findWork(job)).toMatchObject({ deferred_reason: 'provider_unavailable' });
      }
      expect(callsReceived() - before).toBe(5);
      expect(await level()).toBe(100_000);
      fixture.models.behave(undefined);
      expect(await fixture.runJob(job, thinking(job))).toBe('done');
      const costs = { calls: 6, energy: 8, failure_code: null };
      expect(await fixture.listRuns(job.subjectId)).toMatchObject([{ state: 'done', ...costs }]);
    },
  );

  it('gives energy back for a call that never arrived, and waits for the provider without a failure', async () => {
    const closed = await MindsFixture.open();
    await closed.models.close();
    const unreachable = closed.createCaller();
    const stranger = await closed.addUser();
    const stage = closed.stage(async (run) => {
      const answer = await closed.askWord(unreachable, run);
      return answer.outcome === 'answered' ? NOTHING : answer;
    });
    for (let round = 0; round < 5; round += 1) {
      expect(await closed.runJob(stranger, stage)).toBe('deferred');
      expect(await closed.findWork(stranger)).toMatchObject({ deferred_reason: 'provider_unavailable' });
    }
    expect(await closed.listRuns(stranger.subjectId)).toMatchObject([{ state: 'deferred', calls: 0, energy: 0 }]);
    const { clock } = closed.calls;
    const energy = await closed.inTenant((tx) => readEnergy(tx, { now: clock.now(), limits: ENERGY }));
    expect(energy).toMatchObject({ levelMilli: 100_000, consumedMilli: 0 });
    await closed.calls.close();
  });
});

describe('a question of a mind', () => {
  let fixture: MindsFixture;

  beforeAll(async () => {
    fixture = await MindsFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.calls.clock.advance(2 * HOUR));

  const outcomeOf = async (describeProblem?: (word: string) => string | null) => {
    const job = await fixture.addUser();
    const caller = fixture.createCaller();
    let outcome: Awaited<ReturnType<typeof fixture.askWord>> | undefined;
    const stage = fixture.stage(async (run) => {
      outcome = await fixture.askWord(caller, run, describeProblem);
      return outcome.outcome === 'answered' ? NOTHING : outcome;
    });
    await fixture.runJob(job, stage);
    const [run] = await fixture.listRuns(job.subjectId);
    return { outcome: outcome!, run: run! };
  };

  it('is asked again with what is wrong, once, and returns both answers', async () => {
    fixture.models.plan({ kind: 'answer', text: '{"word":"no"}' }, { kind: 'answer', text: '{"word":"yes"}' });
    const { outcome, run } = await outcomeOf((word) => (word === 'no' ? 'The word is wrong.' : null));
    expect(outcome).toMatchObject({ outcome: 'answered', value: 'yes', first: 'no', problem: null });
    expect(run).toMatchObject({ calls: 2, energy: 16 });
    expect(JSON.stringify(fixture.models.journal.generated.at(-1)!.request)).toContain('The word is wrong.');
  });

  it('keeps the first answer with its problem when the correction fails', async () => {
    fixture.models.plan({ kind: 'answer', text: '{"word":"no"}' }, { kind: 'error', status: 500 });
    const { outcome } = await outcomeOf((word) => (word === 'no' ? 'The word is wrong.' : null));
    expect(outcome).toMatchObject({ outcome: 'answered', value: 'no', first: null, problem: 'The word is wrong.' });
  });

  /** Leaves energy for one call. */
  const drain = () =>
    fixture.inTenant((tx) =>
      drawEnergy(tx, { kind: 'summary', units: 72, now: fixture.calls.clock.now(), limits: ENERGY }),
    );

  it('keeps the first answer with its problem, and says until when its correction has to wait for energy', async () => {
    await drain();
    fixture.models.plan({ kind: 'answer', text: '{"word":"no"}' });
    const { outcome, run } = await outcomeOf(() => 'The word is wrong.');
    const postponed = { ends: 'deferred', reason: 'energy', until: expect.any(Number) as unknown };
    expect(outcome).toMatchObject({ outcome: 'answered', value: 'no', problem: 'The word is wrong.', postponed });
    expect(run).toMatchObject({ calls: 1, energy: 8 });
  });

  it('waits for energy when its unreadable answer is to be corrected, and counts the call', async () => {
    await drain();
    fixture.models.plan({ kind: 'answer', text: 'Hm.' });
    const { outcome, run } = await outcomeOf();
    expect(outcome).toMatchObject({ outcome: 'wait', ending: { reason: 'energy' } });
    expect(run).toMatchObject({ state: 'deferred', calls: 1, energy: 8 });
  });

  it.each([
    ['answered', undefined],
    ['failed', { kind: 'error', status: 500 }],
  ] as const)('costs what it %s for when its sums cannot be written behind it', async (outcome, reply) => {
    const readUsage = () =>
      fixture.inTenant((tx) =>
        tx.query<{ id: string; cost_micro_usd: string }>('SELECT id, cost_micro_usd FROM usage'),
      );
    const known = new Set((await readUsage()).map(({ id }) => id));
    const { database } = fixture;
    let transactions = 0;
    const inTenant: typeof database.inTenant = (tenantId, work, ...rest) => {
      transactions += 1;
      // The first one draws the energy, the second one is behind the call.
      if (transactions === 2) return Promise.reject(new Error('The connection was lost.'));
      return database.inTenant(tenantId, work, ...rest);
    };
    const unsteady = Object.assign(Object.create(database) as typeof database, { inTenant });
    const caller = fixture.createCaller(ENERGY, unsteady);
    if (reply) fixture.models.plan(reply);
    const job = await fixture.addUser();
    const stage = fixture.stage(async (run) => {
      expect(await fixture.askWord(caller, run)).toMatchObject({ outcome });
      return NOTHING;
    });
    await fixture.runJob(job, stage);
    expect(transactions).toBe(2);
    const now = fixture.calls.clock.now();
    const { levelMilli } = await fixture.inTenant((tx) => readEnergy(tx, { now, limits: ENERGY }));
    expect(levelMilli).toBe(92_000);
    const rows = (await readUsage()).filter(({ id }) => !known.has(id));
    expect(rows).toHaveLength(1);
    expect(Number(rows[0]!.cost_micro_usd) > 0).toBe(outcome === 'answered');
    expect(await fixture.inTenant((tx) => tx.query('SELECT FROM reservations'))).toEqual([]);
  });

  it('fails after two unreadable answers, counts both, and has them in the ledger', async () => {
    fixture.models.plan({ kind: 'answer', text: 'Hm.' }, { kind: 'answer', text: 'Well.' });
    const { outcome, run } = await outcomeOf();
    expect(outcome).toEqual({ outcome: 'failed', code: 'parsing' });
    expect(run).toMatchObject({ state: 'failed', calls: 2, failure_code: 'parsing' });
    const rows = await fixture.inTenant((tx) =>
      tx.query('SELECT operation, outcome, user_id FROM usage ORDER BY ts DESC, id DESC LIMIT 2'),
    );
    expect(rows).toEqual([
      { operation: 'insights', outcome: 'parsing', user_id: null },
      { operation: 'insights', outcome: 'parsing', user_id: null },
    ]);
    const [watermark] = await fixture.inTenant((tx) =>
      tx.query('SELECT failures FROM mind_watermarks WHERE subject_id = $1', [run.subject_id]),
    );
    expect(watermark).toEqual({ failures: 2 });
  });
});
