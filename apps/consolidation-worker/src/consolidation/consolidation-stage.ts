import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '@annals/config';
import { consolidationQueue } from '@annals/contracts';
import {
  type ConsolidationMemory,
  findNextSlot,
  fingerprintMemory,
  getPairBand,
  MAX_PAIRS_PER_DAY,
  type NeighbourPair,
  planPairs,
  planReranks,
  planRun,
  type RefusedMerge,
  runInSlices,
  takeCandidates,
} from '@annals/domain';
import type { EmbeddingProvider } from '@annals/llm-core';
import {
  createEmbedder,
  hasTimeForQuestion,
  type Infrastructure,
  type JobAttempt,
  type MindCaller,
  type MindCounts,
  type MindFactory,
  type MindOutcome,
  type MindRun,
  type MindStage,
  type MindSubject,
  randomBytes,
} from '@annals/runtime';
import {
  applyRun,
  drawAllowance,
  enqueueWork,
  findPairNeighbours,
  type PlannedRun,
  readConsolidation,
  readMindRun,
  readPairsOfDay,
  readQuotes,
  readSubjectUser,
  readUndonePairs,
  type RecordedChange,
  recordPlannedRun,
  returnAllowance,
  type Tx,
} from '@annals/storage';
import { type Allowance, countPairsLeft, PairDecider } from './decide-pairs.js';

/** Candidates whose neighbours one query finds. */
const SLICE_SIZE = 50;
/** Time after which a run looks for no more neighbours: what it found is still to be decided. */
const MAX_SEARCH_MS = 60_000;

export interface ConsolidationDependencies extends Pick<
  Infrastructure,
  'database' | 'clock' | 'ids' | 'rng' | 'metrics'
> {
  readonly caller: Pick<MindCaller, 'call'> | null;
  readonly embedder: Pick<EmbeddingProvider, 'model' | 'dimensions' | 'profile'>;
  readonly tokensPerDay: number;
  /** Timeout of one call of a model, in ms. */
  readonly callTimeoutMs: number;
  readonly purgeAfterMs?: number;
}

export interface ConsolidationSubject extends MindSubject {
  readonly userId: string;
}

export const CONSOLIDATION: MindFactory = {
  kind: 'consolidation',
  create: ({ infrastructure, caller, config, leaseMs }) => {
    const { embeddings, pricing, consolidation, retention } = config as typeof config &
      Config<'embeddings' | 'pricing' | 'consolidation' | 'retention'>;
    const embedder = createEmbedder({ embeddings, pricing }, infrastructure.clock);
    const { tokensPerDay } = consolidation;
    const { purgeAfterMs } = retention;
    const callTimeoutMs = config.llm.timeoutMs;
    const dependencies = { ...infrastructure, caller, embedder, tokensPerDay, purgeAfterMs, callTimeoutMs };
    return createConsolidationStage(dependencies, leaseMs);
  },
};

/** Tidies the memories of one user (docs/reference/consolidation.md#a-run). */
export function createConsolidationStage(
  deps: ConsolidationDependencies,
  leaseMs: number,
): MindStage<ConsolidationSubject> {
  return {
    definition: consolidationQueue,
    leaseMs,
    async read(tx, subjectId) {
      const user = await readSubjectUser(tx, subjectId);
      return user && { ...user, trigger: 'schedule' };
    },
    run: (run, subject, attempt) => new ConsolidationRun(deps, run, subject.userId, attempt).execute(),
  };
}

/** Label of the metric, and name of the count in the record of the run. */
const COUNTED_CHANGES = [
  ['merge', 'merges'],
  ['link', 'links'],
  ['rerank', 'reranks'],
  ['refused', 'refused'],
  ['skipped', 'skipped'],
] as const;

class ConsolidationRun {
  private readonly startedMs: number;
  private readonly now: number;
  private readonly day: string;

  constructor(
    private readonly deps: ConsolidationDependencies,
    private readonly run: MindRun,
    private readonly userId: string,
    private readonly attempt: JobAttempt,
  ) {
    this.startedMs = deps.clock.monotonicNow();
    this.now = deps.clock.now();
    this.day = new Date(this.now).toISOString().slice(0, 10);
  }

  async execute(): Promise<MindOutcome> {
    const { now, userId, run } = this;
    const { memories, known, undone, asked } = await this.read(async (tx) => ({
      ...(await readConsolidation(tx, { userId, now })),
      undone: await readUndonePairs(tx, userId),
      asked: await readPairsOfDay(tx, userId, this.day),
    }));
    const { taken, postponed } = takeCandidates(memories, { now, known });
    const { near, searched } = await this.findNeighbours(taken, undone);
    const unsearched = taken.length - searched.length + postponed;
    const { profile } = this.deps.embedder;
    const limits = { band: profile.pairs ?? getPairBand(profile.bands), now, known, limit: countPairsLeft(asked) };
    const plan = await runInSlices(planPairs(memories, near, limits), () => nextTurn());
    const ids = plan.pairs.flatMap(({ a, b }) => [a.id, b.id]);
    const quotes = await this.read((tx) => readQuotes(tx, [...new Set(ids)]));
    const { tokensPerDay } = this.deps;
    const decider = new PairDecider(
      {
        caller: tokensPerDay > 0 ? this.deps.caller : null,
        quotes,
        allow: (need) => this.allow(need),
        hasTime: () => this.hasTimeForQuestion(),
      },
      { run, signal: this.attempt.signal, withoutSlot: this.attempt.withoutSlot },
    );
    const decided = await decider.decide(plan.pairs);
    const { decisions, stop } = decided;
    if (stop !== null && stop !== 'limit' && decisions.length === 0) return stop;
    const { changes, refused, fingerprints } = planRun(decisions, planReranks(memories, now));
    const left = plan.pairs.length - decisions.length + plan.postponed;
    // The next run goes on behind these, once all their pairs are decided.
    const compared = unsearched > 0 && left === 0 ? searched.map(fingerprintMemory) : [];
    const planned: PlannedRun = {
      runId: run.id,
      userId,
      changes,
      refused: refused.map(recordRefusal),
      model: decided.model,
      fingerprints: [...fingerprints, ...plan.opposed, ...compared],
    };
    const counts: MindCounts = {
      pairs: decisions.length,
      asked: decided.asked,
      opposed: plan.opposed.length,
    };
    const latest: MindCounts = {
      memories: memories.length,
      known: plan.known,
      postponed: left,
      candidates_postponed: unsearched,
    };
    const rest = run.isDryRun || left + unsearched === 0 ? {} : { rest: this.waitFor(stop) };
    return {
      outcome: 'done',
      counts,
      latest,
      effect: (tx) => this.apply(tx, planned),
      record: (tx) => this.record(tx, planned),
      ...(run.isDryRun ? {} : { report: (written: MindCounts) => this.report(written) }),
      ...rest,
    };
  }

  /** Pairs of candidates and what is near them, but those that an undo separated. One slice at least is searched. */
  private async findNeighbours(
    taken: readonly ConsolidationMemory[],
    undone: ReadonlySet<string>,
  ): Promise<{ readonly near: NeighbourPair[]; readonly searched: readonly ConsolidationMemory[] }> {
    const { userId } = this;
    const { model, dimensions } = this.deps.embedder;
    const found: NeighbourPair[] = [];
    let end = 0;
    while (end < taken.length && (end === 0 || this.measureElapsed() < MAX_SEARCH_MS)) {
      this.attempt.signal.throwIfAborted();
      const candidates = taken.slice(end, end + SLICE_SIZE).map(({ id }) => id);
      found.push(...(await this.read((tx) => findPairNeighbours(tx, { userId, model, dimensions, candidates }))));
      end += candidates.length;
      // Others may use the slot between two searches, and a share of the time bounds these too.
      await this.attempt.withoutSlot(() => nextTurn());
    }
    const near = found.filter(({ a, b }) => !undone.has([a, b].toSorted().join(' ')));
    return { near, searched: taken.slice(0, end) };
  }

  private hasTimeForQuestion(): boolean {
    const { callTimeoutMs } = this.deps;
    const { timeoutMs: jobTimeoutMs } = consolidationQueue;
    return hasTimeForQuestion({ elapsedMs: this.measureElapsed(), callTimeoutMs, jobTimeoutMs });
  }

  private measureElapsed(): number {
    return this.deps.clock.monotonicNow() - this.startedMs;
  }

  private read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.deps.database.readTenant(this.run.work.tenantId, work);
  }

  /** Draws from the allowance of the day for one question. What it did not take is given back behind it. */
  private async allow({ pairs, tokens }: { pairs: number; tokens: number }): Promise<Allowance | null> {
    const { deps, day, userId, run } = this;
    const { tenantId } = run.work;
    const request = { userId, day, pairs, maxPairs: MAX_PAIRS_PER_DAY, tokens, maxTokens: deps.tokensPerDay };
    const before = await deps.database.inTenant(tenantId, async (tx) =>
      (await drawAllowance(tx, request)) ? this.readCosts(tx) : null,
    );
    if (before === null) return null;
    return {
      settle: () =>
        deps.database.inTenant(tenantId, async (tx) => {
          const after = await this.readCosts(tx);
          const isAsked = after.calls > before.calls;
          const left = Math.max(0, tokens - (after.tokens - before.tokens));
          await returnAllowance(tx, { userId, day, pairs: isAsked ? 0 : pairs, tokens: left });
          return isAsked;
        }),
    };
  }

  /** Of this run, so far. */
  private async readCosts(tx: Tx): Promise<{ readonly calls: number; readonly tokens: number }> {
    const run = await readMindRun(tx, this.run.id);
    return run ? { calls: run.calls, tokens: run.tokens.input + run.tokens.output } : { calls: 0, tokens: 0 };
  }

  private async apply(tx: Tx, planned: PlannedRun): Promise<MindCounts> {
    const { clock, ids, purgeAfterMs } = this.deps;
    const retention = purgeAfterMs === undefined ? {} : { purgeAfterMs };
    return (await applyRun(tx, planned, { clock, ids, randomBytes, ...retention })) ?? {};
  }

  private report(written: MindCounts): void {
    for (const [change, count] of COUNTED_CHANGES)
      this.deps.metrics.add('memory_llm_consolidation_changes_total', written[count] ?? 0, { change });
  }

  /** What a dry run planned is still to be done by the next run of the day. */
  private async record(tx: Tx, planned: PlannedRun): Promise<MindCounts> {
    const { ids } = this.deps;
    const { now } = this;
    const { tenantId, subjectId } = this.run.work;
    const availableAt = findNextSlot(tenantId, subjectId, now);
    await enqueueWork(tx, [{ kind: 'consolidation', subjectId, availableAt, trace: null }], { now, ids });
    return recordPlannedRun(tx, planned, now);
  }

  /** The rest is decided on the next day, or once what refused the call allows it. */
  private waitFor(stop: DecidedStop): Extract<MindOutcome, { outcome: 'wait' }>['ending'] {
    if (stop !== null && stop !== 'limit' && stop.outcome === 'wait') return stop.ending;
    const { tenantId, subjectId } = this.run.work;
    return { ends: 'deferred', reason: 'not_due', until: findNextSlot(tenantId, subjectId, this.now) };
  }
}

type DecidedStop = Awaited<ReturnType<PairDecider['decide']>>['stop'];

/** Kinds of what was wrong, not the words. */
function recordRefusal({ pair, problems }: RefusedMerge): RecordedChange {
  return {
    change: 'merge',
    state: 'refused',
    reason: [...new Set(problems.map(({ kind }) => kind))].join(','),
    memoryIds: [pair.a.id, pair.b.id],
    revisionsBefore: [pair.a.revision, pair.b.revision],
    resultId: null,
    revisionsAfter: null,
    numbers: {},
  };
}
