import { queueMindRun, replayWork } from '@annals/storage';
import { loseConnection, waitUntil } from '@annals/testing';
import type { MindOutcome } from './mind-stage.js';
import { MindsFixture } from './minds.fixture.js';

const HOUR = 3_600_000;
/** Work that other specs of the file may have left waiting. */
const SLACK = 3;

describe('the end of a run of a mind', () => {
  let fixture: MindsFixture;

  beforeAll(async () => {
    fixture = await MindsFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    fixture.models.behave(undefined);
    fixture.calls.clock.advance(2 * HOUR);
  });

  const callsReceived = () => fixture.models.journal.generated.length;

  it('is final where one failure is enough, until the watermark moves or somebody replays the work', async () => {
    const job = await fixture.addUser();
    const caller = fixture.createCaller();
    const stage = fixture.stage(async (run): Promise<MindOutcome> => {
      const answer = await fixture.askWord(caller, run);
      if (answer.outcome === 'failed') return { ...answer, isFinal: true };
      return answer.outcome === 'answered' ? { outcome: 'done', counts: {} } : answer;
    });
    fixture.models.behave(() => ({ kind: 'error', status: 500 }));
    const before = callsReceived();
    await expect(fixture.runJob(job, stage)).rejects.toMatchObject({ code: 'transient' });
    expect(await fixture.findWork(job)).toMatchObject({ status: 'failed', failure_code: 'transient' });
    expect(await fixture.listRuns(job.subjectId)).toMatchObject([{ state: 'failed', failure_code: 'transient' }]);
    await fixture.ask(job.subjectId);
    await expect(fixture.runJob(job, stage)).rejects.toMatchObject({ code: 'too_many_failures' });
    expect(callsReceived() - before).toBe(1);
    fixture.models.behave(undefined);
    await fixture.inTenant((tx) => fixture.change(tx, job));
    await fixture.ask(job.subjectId);
    expect(await fixture.runJob(job, stage)).toBe('done');
    fixture.models.behave(() => ({ kind: 'error', status: 500 }));
    await fixture.inTenant((tx) => fixture.change(tx, job));
    await fixture.ask(job.subjectId);
    await expect(fixture.runJob(job, stage)).rejects.toThrow();
    fixture.models.behave(undefined);
    const { id } = (await fixture.findWork(job))!;
    await fixture.inTenant((tx) => replayWork(tx, id, fixture.calls.clock.now()));
    expect(await fixture.runJob(job, stage)).toBe('done');
  });

  const countEndedRuns = async (state: string) => {
    const { body } = await fixture.deps.metrics.render();
    const line = new RegExp(`^memory_llm_mind_runs_total\\{[^}]*state="${state}"[^}]*\\} (\\d+)$`, 'mu').exec(body);
    return Number(line?.[1] ?? 0);
  };

  describe.each(['before', 'behind'] as const)('whose connection is lost %s the commit', (when) => {
    it.each([
      ['done', 'the whole', undefined],
      ['deferred', 'a part', { ends: 'deferred', reason: 'not_due', until: 0 }],
    ] as const)('writes %s once, without another call, of %s', async (state, _what, rest) => {
      const job = await fixture.addUser();
      const caller = fixture.createCaller();
      let written = 0;
      const reported = vi.fn();
      const stage = fixture.stage(async (run): Promise<MindOutcome> => {
        const answer = await fixture.askWord(caller, run);
        if (answer.outcome !== 'answered') return answer;
        return {
          outcome: 'done',
          counts: {},
          ...(rest ? { rest } : {}),
          report: reported,
          async effect(tx) {
            written += 1;
            await fixture.change(tx, job);
            return { written };
          },
        };
      });
      const readSeq = async () => {
        const rows = await fixture.inTenant((tx) =>
          tx.query<{ chain_seq: string }>('SELECT chain_seq FROM users WHERE subject_id = $1', [job.subjectId]),
        );
        return Number(rows[0]!.chain_seq);
      };
      const [before, seq] = [callsReceived(), await readSeq()];
      const { database } = fixture;
      const lossy = loseConnection(database.inTenant.bind(database), when, 'UPDATE users SET chain_seq');
      const counted = await countEndedRuns(state);
      await fixture.runJob(job, stage, { database: Object.assign(Object.create(database) as typeof database, lossy) });
      expect(lossy.wasLost()).toBe(true);
      expect(callsReceived() - before).toBe(1);
      expect((await readSeq()) - seq).toBe(1);
      expect(written).toBe(when === 'before' ? 2 : 1);
      expect(await fixture.listRuns(job.subjectId)).toMatchObject([{ state, calls: 1, counts: { written } }]);
      expect(reported.mock.calls).toEqual([[{ written }]]);
      expect(await countEndedRuns(state)).toBe(counted + 1);
    });
  });

  it('waits for energy for as long as the refill takes for all that waits, at random', async () => {
    const caller = fixture.createCaller({ capacity: 50, refillPerHour: 100 });
    const asking = fixture.stage(async (run): Promise<MindOutcome> => {
      const answer = await fixture.askWord(caller, run);
      return answer.outcome === 'answered' ? { outcome: 'done', counts: {} } : answer;
    });
    const waits: number[] = [];
    const refused: string[] = [];
    for (let user = 0; user < 45; user += 1) {
      const job = await fixture.addUser();
      if ((await fixture.runJob(job, asking)) === 'done') continue;
      const { due_at: dueAt, deferred_reason: reason } = (await fixture.findWork(job))!;
      expect(reason).toBe('energy');
      refused.push(job.subjectId);
      waits.push(Date.parse(dueAt) - fixture.calls.clock.now());
    }
    // Of the same price and refill, until there is energy for one more call, and for each that waits already.
    const callMs = (8 / 100) * HOUR;
    expect(waits.length).toBeGreaterThanOrEqual(40);
    for (const [before, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(callMs + Math.max(60_000, (before + SLACK) * callMs));
    }
    const longest = Math.max(...waits);
    expect(longest).toBeGreaterThan((waits.length / 2) * callMs);
    expect(new Set(waits.map((wait) => Math.floor(wait / callMs))).size).toBeGreaterThan(waits.length / 3);
    // One that is asked for by hand is tried at once, and then as soon as there can be energy.
    for (const subjectId of refused.slice(0, 5)) {
      const startedAt = fixture.calls.clock.now();
      const byHand = {
        id: fixture.calls.ids.next(),
        kind: 'insights',
        subjectId,
        userId: null,
        isDryRun: false,
      } as const;
      await fixture.inTenant((tx) => queueMindRun(tx, { ...byHand, startedAt }));
      expect(await fixture.findWork({ subjectId })).toMatchObject({
        status: 'waiting',
        due_at: new Date(startedAt).toISOString(),
      });
      expect(await fixture.runJob({ subjectId }, asking)).toBe('deferred');
      const { due_at: dueAt } = (await fixture.findWork({ subjectId }))!;
      expect(Date.parse(dueAt) - startedAt).toBeLessThanOrEqual(callMs + 60_000);
    }
    // Also when it is asked for during a run that then waits.
    const job = await fixture.addUser();
    const overtaken = fixture.stage(async (run): Promise<MindOutcome> => {
      const startedAt = fixture.calls.clock.now();
      const byHand = { id: fixture.calls.ids.next(), kind: 'insights', ...job, userId: null, isDryRun: false } as const;
      await fixture.inTenant((tx) => queueMindRun(tx, { ...byHand, startedAt }));
      await fixture.ask(job.subjectId);
      return (await fixture.askWord(caller, run)) as MindOutcome;
    });
    expect(await fixture.runJob(job, overtaken)).toBe('deferred');
    const { due_at: dueAt } = (await fixture.findWork(job))!;
    expect(Date.parse(dueAt)).toBe(fixture.calls.clock.now());
  });

  it('reports nothing that was not written, but counts the run that failed', async () => {
    const job = await fixture.addUser();
    const report = vi.fn();
    const stage = fixture.stage(async (): Promise<MindOutcome> => {
      const effect = () => Promise.reject(new Error('broken'));
      return { outcome: 'done', counts: {}, effect, report };
    });
    const failed = await countEndedRuns('failed');
    await expect(fixture.runJob(job, stage)).rejects.toThrow('broken');
    expect(report).not.toHaveBeenCalled();
    expect(await countEndedRuns('failed')).toBe(failed + 1);
  });

  it('comes when the time of a question is over, which its correction shares', async () => {
    const job = await fixture.addUser();
    const caller = fixture.createCaller();
    fixture.models.plan({ kind: 'hang' });
    const before = callsReceived();
    const stage = fixture.stage(async (run): Promise<MindOutcome> => {
      const hanging = fixture.askWord(caller, run, undefined, 50);
      await waitUntil(() => callsReceived() > before, { describe: 'the model hangs' });
      // Less than the timeout of a call.
      fixture.calls.clock.advance(50);
      const hung = await hanging;
      expect(hung).toEqual({ outcome: 'failed', code: 'timeout' });
      // A first answer that takes all of the time leaves none for its correction.
      const late = await fixture.askWord(
        caller,
        run,
        () => {
          fixture.calls.clock.advance(HOUR);
          return 'The word is wrong.';
        },
        HOUR,
      );
      expect(late).toMatchObject({ outcome: 'answered', problem: 'The word is wrong.', first: null });
      return { outcome: 'done', counts: {} };
    });
    await fixture.runJob(job, stage);
    expect(callsReceived() - before).toBe(2);
    expect(await fixture.listRuns(job.subjectId)).toMatchObject([{ calls: 2, energy: 16 }]);
    const rows = await fixture.inTenant((tx) =>
      tx.query('SELECT outcome, cost_micro_usd > 0 AS is_charged FROM usage ORDER BY ts DESC, id DESC LIMIT 2'),
    );
    expect(rows).toEqual([
      { outcome: 'ok', is_charged: true },
      { outcome: 'timeout', is_charged: true },
    ]);
  });
});
