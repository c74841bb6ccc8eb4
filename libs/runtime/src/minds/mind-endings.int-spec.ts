import { DatabaseUnavailableError, replayWork } from '@annals/storage';
import { waitUntil } from '@annals/testing';
import type { MindOutcome } from './mind-stage.js';
import { MindsFixture } from './minds.fixture.js';

const HOUR = 3_600_000;

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

  /** The connection of the first transaction with an effect is lost before its commit, or before the answer to it. */
  const loseConnection = (when: 'before' | 'behind', hasWritten: () => boolean) => {
    const { database } = fixture;
    let isLost = false;
    const lose = () => {
      if (isLost || !hasWritten()) return;
      isLost = true;
      throw new DatabaseUnavailableError(new Error('The connection was lost.'));
    };
    const inTenant: typeof database.inTenant = async (tenantId, work) => {
      const result = await database.inTenant(tenantId, async (tx) => {
        const value = await work(tx);
        if (when === 'before') lose();
        return value;
      });
      if (when === 'behind') lose();
      return result;
    };
    return Object.assign(Object.create(database) as typeof database, { inTenant });
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
      const database = loseConnection(when, () => written > 0);
      await fixture.runJob(job, stage, { database });
      expect(callsReceived() - before).toBe(1);
      expect((await readSeq()) - seq).toBe(1);
      expect(await fixture.listRuns(job.subjectId)).toMatchObject([{ state, calls: 1 }]);
      if (when === 'before') expect([written, reported.mock.calls.length]).toEqual([2, 1]);
    });
  });

  it('reports nothing that was not written', async () => {
    const job = await fixture.addUser();
    const report = vi.fn();
    const stage = fixture.stage(async (): Promise<MindOutcome> => {
      const effect = () => Promise.reject(new Error('broken'));
      return { outcome: 'done', counts: {}, effect, report };
    });
    await expect(fixture.runJob(job, stage)).rejects.toThrow('broken');
    expect(report).not.toHaveBeenCalled();
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
