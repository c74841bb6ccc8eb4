import type { WorkJob } from '@annals/contracts';
import { countMindFailure, decideMindRun, MAX_MIND_FAILURES, type MindWatermark } from '@annals/domain';
import { type JobWorker, PermanentJobError } from '@annals/messaging';
import {
  allOf,
  beginMindRun,
  endLostMindRuns,
  endMindRun,
  enqueueWork,
  isTransientDatabaseError,
  type MindRunEnd,
  type OpenMindRun,
  readMindRun,
  readMindWatermark,
  readForgottenAt,
  readOpenMindRun,
  storeMindWatermark,
  type Tx,
} from '@annals/storage';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { ConcurrencySlots } from '../leased-job/concurrency-slots.js';
import { LeaseLostError } from '../leased-job/lease-renewal.js';
import { isStoreOutage, type JobAttempt } from '../leased-job/run-leased-job.js';
import { type Deferral, planOutage } from '../work-job/plan-deferral.js';
import { createWorkWorker } from '../work-job/run-work-job.js';
import type { ClaimedWork, WorkEnding, WorkStage } from '../work-job/work-stage.js';
import { MindClaim } from './mind-claim.js';
import type { MindCounts, MindOutcome, MindRun, MindStage, MindSubject } from './mind-stage.js';

export type MindDependencies = Pick<Infrastructure, 'database' | 'clock' | 'ids' | 'rng' | 'logger' | 'metrics'>;

/** Read under the claim. */
interface LoadedSubject<Subject> {
  readonly subject: Subject | null;
  readonly stored: MindWatermark | null;
  readonly open: OpenMindRun | null;
  /** Epoch ms when something of the person was last forgotten; null: nothing was. */
  readonly forgottenAt: number | null;
}

/** The consumer of the queue of one mind, in the slots that all minds of the process share. */
export function createMindWorker<Subject extends MindSubject>(
  infrastructure: Infrastructure,
  stage: MindStage<Subject>,
  slots: ConcurrencySlots,
): JobWorker<WorkJob> {
  return createWorkWorker(infrastructure, createMindWorkStage(infrastructure, stage), slots);
}

/**
 * A mind as a stage of work: decides by the watermark whether there is anything to think about before the mind is asked,
 * records the run, and commits effect, watermark, record and end of the work in one transaction
 * (docs/reference/minds.md#runs). A killed run leaves no effect or the whole one.
 */
export function createMindWorkStage<Subject extends MindSubject>(
  deps: MindDependencies,
  stage: MindStage<Subject>,
): WorkStage<LoadedSubject<Subject>> {
  const kind = stage.definition.name;
  return {
    definition: stage.definition,
    leaseMs: stage.leaseMs,
    async load(tx, subjectId) {
      const [subject, stored, open] = await allOf([
        stage.read(tx, subjectId),
        readMindWatermark(tx, kind, subjectId),
        readOpenMindRun(tx, kind, subjectId),
      ]);
      return { subject, stored, open, forgottenAt: await readForgottenAt(tx, subject?.userId ?? null) };
    },
    run: (work, loaded, attempt) => new MindExecution(deps, stage, work, loaded, attempt).run(),
    translate: (error, attempt) => stage.translate?.(error, attempt),
  };
}

class MindExecution<Subject extends MindSubject> {
  private readonly claim: MindClaim;

  constructor(
    private readonly deps: MindDependencies,
    private readonly stage: MindStage<Subject>,
    private readonly work: ClaimedWork,
    private readonly loaded: LoadedSubject<Subject>,
    private readonly attempt: JobAttempt,
  ) {
    this.claim = new MindClaim(deps, stage, work);
  }

  async run(): Promise<WorkEnding> {
    const { subject, stored, open } = this.loaded;
    if (!subject || subject.isOff) return this.sleep();
    const decision = decideMindRun(subject.watermark, stored);
    if (!decision.run) return decision.reason === 'failed' ? this.stayFailed() : this.sleep();
    const now = this.deps.clock.now();
    if (open?.trigger !== 'manual' && (subject.notBefore ?? 0) > now) {
      return this.defer({ ends: 'deferred', reason: 'not_due', until: subject.notBefore! });
    }
    const run = await this.begin(subject, now);
    const startedMs = this.deps.clock.monotonicNow();
    const report = (state: EndState) => this.report(run, state, this.deps.clock.monotonicNow() - startedMs);
    const [ending, state] = await this.tryThink(run, subject, report);
    report(state);
    if (ending instanceof Error) throw ending;
    return ending;
  }

  /** Ends the work without a run. One that was asked for by hand, or has lost its worker, ends with it. */
  private async sleep(): Promise<WorkEnding> {
    await this.claim.end(async (tx) => {
      await this.endOpen(tx, 'unchanged');
      await this.askForOpen(tx);
    });
    this.deps.metrics.inc('memory_llm_mind_runs_total', { kind: this.kind, state: 'unchanged' });
    return { ends: 'done' };
  }

  /** Leaves the work as it was, failed and visible, until its watermark moves or somebody replays it. */
  private async stayFailed(): Promise<never> {
    await this.claim.write((tx) => this.endOpen(tx, 'failed', TOO_MANY_FAILURES));
    throw new PermanentJobError(TOO_MANY_FAILURES);
  }

  private async endOpen(tx: Tx, state: EndState, failureCode?: string): Promise<void> {
    const { open, subject } = this.loaded;
    const now = this.deps.clock.now();
    if (!open) return endLostMindRuns(tx, { kind: this.kind, subjectId: this.work.subjectId, now }, null);
    const id = await beginMindRun(tx, this.startOf(subject, now), open);
    const failure = failureCode === undefined ? {} : { failureCode };
    await endMindRun(tx, { id, state, watermark: subject?.watermark ?? null, counts: {}, ...failure, endedAt: now });
  }

  private get kind() {
    return this.stage.definition.name;
  }

  private startOf(subject: Subject | null, startedAt: number) {
    const { kind, work, deps, loaded } = this;
    const { trigger, isDryRun } = loaded.open ?? { trigger: subject?.trigger ?? 'schedule', isDryRun: false };
    const about = { kind, subjectId: work.subjectId, userId: subject?.userId ?? null } as const;
    return { id: deps.ids.next(), ...about, trigger, isDryRun, startedAt } as const;
  }

  private async begin(subject: Subject, startedAt: number): Promise<MindRun> {
    const start = this.startOf(subject, startedAt);
    const id = await this.claim.write((tx) => beginMindRun(tx, start, this.loaded.open));
    const { kind, work } = this;
    const { userId, trigger, isDryRun } = start;
    return { id, kind, work, userId, trigger, isDryRun, watermark: subject.watermark, failedCalls: 0 };
  }

  private async tryThink(
    run: MindRun,
    subject: Subject,
    report: (state: EndState) => void,
  ): Promise<[WorkEnding | Error, EndState]> {
    try {
      return await this.think(run, subject);
    } catch (error) {
      // An outage or a shutdown says nothing about the subject. The next attempt of the job decides by what was counted.
      const isOurs = !(error instanceof LeaseLostError || this.attempt.signal.aborted || isStoreOutage(error));
      if (isOurs || run.failedCalls > 0) {
        const counted = await this.countFailures(run, 'internal').catch(() => null);
        if (counted) report(counted.state);
      }
      throw error;
    }
  }

  private async think(run: MindRun, subject: Subject): Promise<[WorkEnding | Error, EndState]> {
    const outcome = await this.stage.run(run, subject, this.attempt);
    this.attempt.signal.throwIfAborted();
    switch (outcome.outcome) {
      case 'wait':
        return [await this.wait(run, outcome.ending), 'deferred'];
      case 'failed':
        return this.fail(run, outcome);
      case 'done':
        return outcome.rest
          ? [await this.writePart(run, outcome, outcome.rest), 'deferred']
          : [await this.complete(run, outcome), 'done'];
    }
  }

  private async complete(run: MindRun, done: Done): Promise<WorkEnding> {
    await this.commit(run, done, (write) =>
      this.claim.end(async (tx) => {
        const seen = await write(tx, 'done');
        // A dry run has seen, but changed nothing: the next run is to do what it planned.
        if (!run.isDryRun) await this.store(tx, { watermark: seen.watermark, failures: 0 });
        if (seen.isVoid) await this.askAgain(tx);
        await this.askForOpen(tx);
      }),
    );
    return { ends: 'done' };
  }

  private async writePart(run: MindRun, done: Done, rest: NonNullable<Done['rest']>): Promise<WorkEnding> {
    let until = rest.until;
    await this.commit(run, done, (write) =>
      this.claim.write(async (tx) => {
        await write(tx, 'deferred');
        await this.store(tx, { watermark: null, failures: 0 });
        until = await this.findTurn(tx, run, rest);
      }),
    );
    return this.defer({ ...rest, until });
  }

  /**
   * Writes the effect and the end of the run in the transaction of `transact`, and reports what was committed. Models were
   * paid for it, so a lost connection does not end the attempt: what was not committed is written a second time.
   */
  private async commit(
    run: MindRun,
    done: Done,
    transact: (write: (tx: Tx, state: EndState) => Promise<Seen>) => Promise<void>,
  ): Promise<void> {
    const endedAt = this.deps.clock.now();
    let counts: MindCounts = {};
    const write = async (tx: Tx, state: EndState): Promise<Seen> => {
      const seen = await this.write(tx, run, done);
      ({ counts } = seen);
      await this.end(tx, run, { state, counts, latest: done.latest, endedAt });
      return seen;
    };
    try {
      await transact(write);
    } catch (error) {
      if (!isTransientDatabaseError(error) || this.attempt.signal.aborted) throw error;
      if (!(await this.hasEnded(run, endedAt))) await transact(write);
    }
    done.report?.(counts);
  }

  /** Whether the transaction whose answer was lost was committed. Waits behind its lock until it is over. */
  private hasEnded(run: MindRun, endedAt: number): Promise<boolean> {
    return this.claim.inTransaction(
      async (tx) => (await readMindRun(tx, run.id))?.ended_at === new Date(endedAt).toISOString(),
    );
  }

  /** Another run that was asked for, or that waits, is not left behind by the end of the work. */
  private async askForOpen(tx: Tx): Promise<void> {
    if (await readOpenMindRun(tx, this.kind, this.work.subjectId)) await this.askAgain(tx);
  }

  private async askAgain(tx: Tx): Promise<void> {
    const { kind, deps } = this;
    const now = deps.clock.now();
    const request = { kind, subjectId: this.work.subjectId, availableAt: now, trace: null };
    await enqueueWork(tx, [request], { now, ids: deps.ids });
  }

  /**
   * Writes the effect. The watermark that it returns covers the run's own writes, unless somebody else has written since
   * the subject was read: then it is the old one, and the next run sees what this one has not.
   */
  private async write(tx: Tx, run: MindRun, { counts: thought, effect, record }: Done): Promise<Seen> {
    const { stage, work } = this;
    if (run.isDryRun) return { counts: { ...thought, ...(await record?.(tx)) }, watermark: run.watermark };
    if (!effect) return { counts: thought, watermark: run.watermark };
    const before = await stage.read(tx, work.subjectId);
    // Erased or forgotten meanwhile: the end of the work is lost as well.
    if (!before) throw new LeaseLostError();
    // What it has read, and may have written of it, was forgotten meanwhile.
    const isStale = (await readForgottenAt(tx, run.userId, { lock: true })) !== this.loaded.forgottenAt;
    const written = isStale ? null : await effect(tx);
    if (written === null) return { counts: {}, watermark: null, isVoid: true };
    const after = await stage.read(tx, work.subjectId);
    const isUndisturbed = before.watermark === run.watermark;
    return {
      counts: { ...thought, ...written },
      watermark: isUndisturbed ? (after ?? before).watermark : run.watermark,
    };
  }

  private async wait(run: MindRun, ending: Waiting): Promise<WorkEnding> {
    const until = await this.claim.write(async (tx) => {
      if (run.failedCalls > 0) await this.store(tx, this.withFailures(run));
      await this.end(tx, run, { state: 'deferred' });
      return this.findTurn(tx, run, ending);
    });
    return this.defer({ ...ending, until });
  }

  /** A run that was asked for by hand meanwhile is tried at once, whatever line for energy this one stands in. */
  private async findTurn(tx: Tx, run: MindRun, { reason, until }: Waiting): Promise<number> {
    if (reason !== 'energy' || run.trigger === 'manual') return until;
    const open = await readOpenMindRun(tx, this.kind, this.work.subjectId);
    return open?.trigger === 'manual' ? this.deps.clock.now() : until;
  }

  /** Waits for another attempt, or for the watermark: then the work has failed, visibly, until it is asked for again. */
  private async fail(run: MindRun, { code, isFinal }: Failure): Promise<[WorkEnding | Error, EndState]> {
    const { failures, state } = await this.countFailures(run, code, isFinal);
    if (failures >= MAX_MIND_FAILURES) return [new PermanentJobError(code), state];
    const { clock, rng } = this.deps;
    return [this.defer(planOutage({ attempts: this.work.attempts, now: clock.now(), rng })), state];
  }

  /**
   * A run by hand waits until the last failure, so that the next attempt is the run that was asked for: under the id that
   * its caller knows, and a dry run still.
   */
  private async countFailures(
    run: MindRun,
    code: string,
    isFinal = false,
  ): Promise<{ failures: number; state: EndState }> {
    const counted = this.withFailures(run);
    const failures = isFinal ? Math.max(MAX_MIND_FAILURES, counted.failures) : counted.failures;
    const state = run.trigger === 'manual' && failures < MAX_MIND_FAILURES ? 'deferred' : 'failed';
    await this.claim.write(async (tx) => {
      await this.store(tx, { ...counted, failures });
      await this.end(tx, run, { state, failureCode: code });
    });
    return { failures, state };
  }

  /** One failure for each failed call, and at least one for a run that failed. */
  private withFailures(run: MindRun): MindWatermark {
    let counted = this.loaded.stored;
    for (let call = 0; call < Math.max(1, run.failedCalls); call += 1)
      counted = countMindFailure(run.watermark, counted);
    return counted!;
  }

  private store(tx: Tx, { watermark, failures }: MindWatermark): Promise<void> {
    const { kind, work, deps } = this;
    return storeMindWatermark(tx, { kind, subjectId: work.subjectId, watermark, failures, now: deps.clock.now() });
  }

  private end(tx: Tx, run: MindRun, { counts = {}, ...end }: RunEnd): Promise<void> {
    return endMindRun(tx, { endedAt: this.deps.clock.now(), ...end, id: run.id, watermark: run.watermark, counts });
  }

  private defer(ending: Deferral): WorkEnding {
    const { kind, work } = this;
    const { reason } = ending;
    this.deps.metrics.inc('memory_llm_mind_waits_total', { kind, reason });
    this.deps.logger.info('work_deferred', { tenantId: work.tenantId, kind, subjectId: work.subjectId, reason });
    return ending;
  }

  private report(run: MindRun, state: EndState, durationMs: number): void {
    const { kind, deps, work } = this;
    deps.metrics.inc('memory_llm_mind_runs_total', { kind, state });
    const about = { tenantId: work.tenantId, kind, subjectId: work.subjectId };
    deps.logger.info('mind_run_ended', { ...about, runId: run.id, state, durationMs });
  }
}

const TOO_MANY_FAILURES = 'too_many_failures';

/** What a write leaves; `isVoid`: nothing, since what the run had read holds no longer. */
interface Seen {
  readonly counts: MindCounts;
  readonly watermark: string | null;
  readonly isVoid?: true;
}

type EndState = MindRunEnd['state'];
type RunEnd = Pick<MindRunEnd, 'state' | 'latest' | 'failureCode'> & Partial<Pick<MindRunEnd, 'counts' | 'endedAt'>>;
type Done = Extract<MindOutcome, { outcome: 'done' }>;
type Waiting = Extract<MindOutcome, { outcome: 'wait' }>['ending'];
type Failure = Extract<MindOutcome, { outcome: 'failed' }>;
