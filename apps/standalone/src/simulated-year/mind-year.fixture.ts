import { loadConfig } from '@annals/config';
import { CONSOLIDATION_WORKER_FRAGMENTS, ConsolidationWorkerModule } from '@annals/consolidation-worker';
import { MIND_KINDS, type MindKind, type MindRun } from '@annals/contracts';
import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { createEmbeddingProvider } from '@annals/llm-core';
import {
  createMindWorkStage,
  createProcessContext,
  type MaintenanceJob,
  type MindAnswer,
  type MindCaller,
  type MindFactory,
  MINDS,
  type MindStage,
  registerMaintenanceJobs,
} from '@annals/runtime';
import { addMindRunCosts, claimWork, createTenant, Database, deferWork, listMindRuns, type Tx } from '@annals/storage';
import { type AdminQuery, createTestDatabase, createTestPool, MEMORY_PAIRS, type TestDatabase } from '@annals/testing';
import { TOM_INSIGHT_FRAGMENTS, TomInsightModule } from '@annals/tom-insight';

const LEASE_MS = 30_000;
const PAIR = /<pair (?<name>p\d+)>\na \(since [^)]*\): (?<a>.*)\nb \(since [^)]*\): (?<b>.*)\n<\/pair>/gu;
const VERDICTS = { merge: 'SAME', link: 'RELATED', apart: 'DIFFERENT' } as const;

const keyOf = (a: string, b: string) => [a, b].toSorted().join('\n');
const LABELLED_PAIRS = new Map(MEMORY_PAIRS.map((pair) => [keyOf(pair.a, pair.b), pair]));

export const findLabelledPair = (a: string, b: string) => LABELLED_PAIRS.get(keyOf(a, b));

/** A model that decides about the labelled pairs as they are labelled, and about no others. */
function answerFromLabels(user: string): string {
  const shown = [...user.matchAll(PAIR)].map(({ groups }) => groups as { name: string; a: string; b: string });
  const pairs = shown.map(({ name, a, b }) => {
    const label = findLabelledPair(a, b);
    return { id: name, verdict: VERDICTS[label?.expected ?? 'apart'], text: label?.merged ?? null };
  });
  return JSON.stringify({ pairs });
}

/**
 * The minds as their services compose them, and every maintenance job, over one database and a clock that only `advance`
 * moves. Pairs are decided by a model that follows the labels, all else by rules.
 */
export class MindYear {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 1, 12));
  readonly ids = new UuidV7Generator(this.clock, new SeededRng(1));
  readonly embedder = createEmbeddingProvider({ provider: 'hashed' });
  readonly context = createProcessContext({ name: 'year', version: '0', logLevel: 'error', processMetrics: false });
  readonly config;
  /** The last known record of every run, also of those whose record is gone. */
  readonly runs = new Map<string, MindRun>();
  /** Of every summary that was made, its place: conversation, tier and position. */
  readonly summaries = new Map<string, string>();
  private readonly jobs: MaintenanceJob[] = [];
  private superuser: ReturnType<typeof createTestPool> | undefined;
  private readonly stages: ReadonlyMap<MindKind, MindStage>;

  private constructor(
    readonly testDatabase: TestDatabase,
    readonly database: Database,
    settings: Readonly<Record<string, string>>,
  ) {
    const fragments = [...TOM_INSIGHT_FRAGMENTS, ...CONSOLIDATION_WORKER_FRAGMENTS, 'checkpoints', 'webhooks'] as const;
    this.config = loadConfig(fragments, { MEMORY_LLM_PRIMARY: 'local', ...settings });
    const maintenance = { add: (job: MaintenanceJob) => void this.jobs.push(job) };
    const { ids, config } = this;
    const { metrics } = this.context;
    registerMaintenanceJobs({ maintenance, ids, metrics } as never, config);
    this.stages = new Map(
      [TomInsightModule, ConsolidationWorkerModule]
        .flatMap((service) => service.forRoot({ providers: [] }).providers ?? [])
        .flatMap((provider) => ('provide' in provider && provider.provide === MINDS ? this.createStages(provider) : []))
        .map((stage) => [stage.definition.name, stage]),
    );
  }

  static async open(settings: Readonly<Record<string, string>>): Promise<MindYear> {
    const testDatabase = await createTestDatabase();
    return new MindYear(testDatabase, await Database.open(testDatabase.app, { asksMinds: true }), settings);
  }

  async close(): Promise<void> {
    await this.superuser?.end();
    await this.database.close();
    await this.testDatabase.drop();
  }

  private get infrastructure() {
    const { database, clock, ids, context } = this;
    const pause = () => Promise.resolve();
    return { ...context, database, clock, ids, rng: new SeededRng(2), pause };
  }

  private createStages(provider: object): MindStage[] {
    const minds = (provider as { useValue: readonly MindFactory[] }).useValue;
    const labels: Pick<MindCaller, 'call'> = {
      call: async ({ prompt, parse, describeProblem, run }) => {
        const costs = { calls: 1, energyMilli: 0, inputTokens: 1_000, outputTokens: 100, costMicroUsd: 0 };
        await this.database.inTenant(run.work.tenantId, (tx) => addMindRunCosts(tx, run.id, costs));
        const value = await parse(answerFromLabels(prompt.user));
        const problem = (await describeProblem?.(value)) ?? null;
        const model = { name: 'labels', model: 'labels-1' };
        return { outcome: 'answered', value, problem, first: null, provider: model } as MindAnswer<never>;
      },
    };
    const { config } = this;
    const infrastructure = this.infrastructure as never;
    return minds.map(({ kind, create }) => {
      const caller = kind === 'consolidation' ? (labels as MindCaller) : null;
      return create({ infrastructure, caller, config, leaseMs: LEASE_MS });
    });
  }

  async addTenant(name: string): Promise<string> {
    const id = this.ids.next();
    await createTenant(this.database, { id, name, now: this.clock.now() });
    return id;
  }

  query<R extends object>(tenantId: string, sql: string, parameters: readonly unknown[] = []): Promise<R[]> {
    return this.database.readTenant(tenantId, (tx) => tx.query<R>(sql, parameters));
  }

  /** Rows of every tenant. */
  readonly queryAsSuperuser: AdminQuery = async <R extends object>(
    sql: string,
    parameters: readonly unknown[] = [],
  ) => {
    this.superuser ??= createTestPool({
      connectionString: this.testDatabase.admin.url,
      max: 1,
      options: '-c search_path=annals,public',
    });
    return (await this.superuser.query(sql, [...parameters])).rows as R[];
  };

  /** Does all work of minds that is due, as the workers of the queues do, and returns how many rows it took. */
  async think(tenantId: string): Promise<number> {
    const { database, clock } = this;
    for (let taken = 0; ; taken += 1) {
      const [row] = await this.query<{ kind: MindKind; subject_id: string; generation: number }>(
        tenantId,
        `SELECT kind, subject_id, generation FROM work
          WHERE kind = ANY ($1) AND available_at <= $2 AND failed_at IS NULL ORDER BY available_at, id LIMIT 1`,
        [MIND_KINDS, new Date(clock.now())],
      );
      if (!row) return taken;
      const { kind, subject_id: subjectId, generation } = row;
      const mind = createMindWorkStage(this.infrastructure, this.stages.get(kind)!);
      const job = { tenantId, subjectId, generation };
      const { work, input } = await database.inTenant(tenantId, async (tx) => {
        const claim = await claimWork(tx, { kind, subjectId, generation, now: clock.now(), leaseMs: LEASE_MS });
        if (claim.outcome !== 'claimed') throw new Error(`The work is ${claim.outcome}.`);
        return { work: { ...job, ...claim }, input: await mind.load(tx, subjectId) };
      });
      const ending = await mind.run(work, input, {
        attempt: 1,
        attemptsLeft: 2,
        signal: new AbortController().signal,
        withoutSlot: (wait) => wait(),
      });
      if (ending.ends === 'deferred') {
        await database.inTenant(tenantId, (tx: Tx) => deferWork(tx, { ...work, ...ending }));
      }
    }
  }

  /** One pass of every maintenance job. Returns what each of them did. */
  async maintain(): Promise<Record<string, number>> {
    const { database, clock } = this;
    const done: Record<string, number> = {};
    for (const job of this.jobs) {
      const run = { database, clock, signal: new AbortController().signal, cursor: null, budgetMs: 60_000 };
      const result = await job.run(run);
      if (result.problem !== undefined || result.cursor !== null) throw new Error(`${job.name} is not done.`);
      done[job.name] = result.done;
    }
    return done;
  }

  /** Reads the latest runs and summaries of a tenant before anything deletes them. */
  async note(tenantId: string): Promise<void> {
    const { items } = await this.database.readTenant(tenantId, (tx) => listMindRuns(tx, { limit: 100 }));
    for (const run of items) this.runs.set(run.id, run);
    const made = await this.query<{ id: string; place: string }>(
      tenantId,
      `SELECT id, concat_ws(' ', conversation_id, tier, position) AS place FROM summaries ORDER BY id DESC LIMIT 100`,
    );
    for (const { id, place } of made) this.summaries.set(id, place);
  }

  /** Of all runs of a kind, the sum of a number. */
  sumOfRuns(kind: MindKind, name: string): number {
    return [...this.runs.values()]
      .filter((run) => run.kind === kind)
      .reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
  }

  /** The value of a counter, summed over its labels. */
  async count(metric: string, label = ''): Promise<number> {
    const { body } = await this.context.metrics.render();
    const lines = body.split('\n').filter((line) => line.startsWith(metric) && line.includes(label));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }
}
