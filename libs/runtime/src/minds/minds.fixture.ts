import { insightsQueue, type WorkJob } from '@annals/contracts';
import { type EnergyLimits, SeededRng } from '@annals/domain';
import { createProvider, LLMError, type LLMProvider, loadPricingCatalog, type ModelPrompt } from '@annals/llm-core';
import { type JobContext, PermanentJobError } from '@annals/messaging';
import { Database, enqueueWork, listMindRuns, listWork, readSubjectUser, type Tx } from '@annals/storage';
import { type FakeModels, startFakeModels } from '@annals/testing';
import {
  ModelCallsFixture,
  type ModelCallsInstance,
  type ModelCallsInstanceOptions,
} from '../model-calls/model-calls.fixture.js';
import { endFailedWork } from '../work-job/end-failed-work.js';
import { runWorkJob } from '../work-job/run-work-job.js';
import { createMindCaller, type MindAnswer, type MindCaller } from './mind-caller.js';
import type { MindOutcome, MindRun, MindStage, MindSubject } from './mind-stage.js';
import { createMindWorkStage } from './mind-worker.js';

export const ENERGY: EnergyLimits = { capacity: 100, refillPerHour: 100 };

const PROMPT: ModelPrompt = {
  version: '1',
  system: 'Answer in JSON.',
  user: 'What is it?',
  schemaName: 'word',
  schema: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
    additionalProperties: false,
  },
};

/** A mind of the kind `insights` over a database and a model server, whose jobs the spec runs one by one. */
export class MindsFixture {
  readonly deps;

  private constructor(
    readonly calls: ModelCallsFixture,
    readonly database: Database,
    readonly models: FakeModels,
    private readonly instance: ModelCallsInstance,
    readonly provider: LLMProvider,
    readonly tenantId: string,
  ) {
    const { clock, ids } = calls;
    const logger = { info: () => undefined, warn: () => undefined } as never;
    this.deps = { database, clock, ids, rng: new SeededRng(3), logger, metrics: instance.metrics };
  }

  static async open(options: ModelCallsInstanceOptions = {}): Promise<MindsFixture> {
    const calls = await ModelCallsFixture.open({ asksMinds: true });
    const models = await startFakeModels({ answer: () => '{"word":"yes"}' });
    const provider = createProvider({
      provider: 'claude',
      apiKey: 'sk-test',
      model: 'claude-haiku-5-5',
      baseUrl: models.anthropicUrl,
      timeoutMs: 20_000,
      catalog: loadPricingCatalog(),
      clock: calls.clock,
    });
    const instance = await calls.openInstance(options);
    return new MindsFixture(calls, calls.database, models, instance, provider, await calls.makeTenant());
  }

  async close(): Promise<void> {
    await this.models.close();
    await this.calls.close();
  }

  createCaller(energy = ENERGY, database = this.database): MindCaller {
    const models = { providers: [this.provider], timeoutMs: 20_000, maxOutputTokens: 500, energy };
    return createMindCaller({ ...this.deps, database, modelCalls: this.instance.calls }, models)!;
  }

  readonly inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => this.database.inTenant(this.tenantId, work);

  /** A new user, and the job about them. */
  async addUser(): Promise<WorkJob> {
    const [user] = await this.inTenant((tx) =>
      tx.query<{ subject_id: string }>(
        'INSERT INTO users (user_id, created_at) VALUES ($1, now()) RETURNING subject_id',
        [this.calls.ids.next()],
      ),
    );
    const { subject_id: subjectId } = user!;
    await this.ask(subjectId);
    return { tenantId: this.tenantId, subjectId, generation: 1 };
  }

  ask(subjectId: string, kind: 'insights' | 'vectors' = 'insights'): Promise<number> {
    const { clock, ids } = this.calls;
    const request = { kind, subjectId, availableAt: clock.now(), trace: null };
    return this.inTenant((tx) => enqueueWork(tx, [request], { now: clock.now(), ids }));
  }

  /** Moves the user's watermark. */
  readonly change = async (tx: Tx, { subjectId }: Pick<WorkJob, 'subjectId'>): Promise<void> => {
    await tx.execute('UPDATE users SET chain_seq = chain_seq + 1 WHERE subject_id = $1', [subjectId]);
  };

  /** Runs the work as it is now in the queue: under the generation of its row. */
  async runJob(
    job: Pick<WorkJob, 'subjectId'>,
    stage: MindStage,
    { database = this.database, ...context }: Partial<JobContext> & { readonly database?: Database } = {},
  ) {
    const deps = { ...this.deps, database };
    const { subjectId } = job;
    const [row] = await this.inTenant((tx) =>
      tx.query<{ generation: number }>('SELECT generation FROM work WHERE subject_id = $1 AND failed_at IS NULL', [
        subjectId,
      ]),
    );
    if (!row) return 'nothing waits';
    const attempt: JobContext = {
      jobId: 'job',
      attempt: 1,
      attemptsLeft: 2,
      signal: new AbortController().signal,
      delayJob: (delayMs) => {
        throw new Error(`delayed by ${delayMs} ms`);
      },
      ...context,
    };
    const work = { tenantId: this.tenantId, subjectId, generation: row.generation };
    try {
      return await runWorkJob(deps, createMindWorkStage(deps, stage), work, attempt, (wait) => wait());
    } catch (error) {
      // As the queue's worker does, with the last attempt or an error that needs no other.
      if (error instanceof PermanentJobError) await endFailedWork(this.deps, 'insights', work, error);
      throw error;
    }
  }

  stage(run: (run: MindRun) => Promise<MindOutcome>, subject: Partial<MindSubject> = {}): MindStage {
    return {
      definition: insightsQueue,
      leaseMs: 30_000,
      async read(tx, subjectId) {
        const user = await readSubjectUser(tx, subjectId);
        return user && { ...user, trigger: 'batch', ...subject };
      },
      run,
    };
  }

  /** One question for a word; what is no JSON cannot be read. */
  askWord(
    caller: MindCaller,
    run: MindRun,
    describeProblem?: (word: string) => string | null,
    timeLimitMs?: number,
  ): Promise<MindAnswer<string>> {
    return caller.call({
      run,
      ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
      operation: 'insights',
      task: 'infer_insights',
      prompt: PROMPT,
      maxOutputTokens: 50,
      energy: 8,
      parse: (text) => {
        try {
          return (JSON.parse(text) as { word: string }).word;
        } catch {
          throw new LLMError('parsing', 'The answer is no JSON.');
        }
      },
      ...(describeProblem ? { describeProblem } : {}),
      signal: new AbortController().signal,
      withoutSlot: (wait) => wait(),
    });
  }

  async listRuns(userSubject?: string) {
    const { items } = await this.inTenant((tx) => listMindRuns(tx, { limit: 50 }));
    return items.filter((run) => userSubject === undefined || run.subject_id === userSubject);
  }

  async findWork({ subjectId }: Pick<WorkJob, 'subjectId'>) {
    const { items } = await this.inTenant((tx) => listWork(tx, { limit: 50 }));
    return items.find((work) => work.subject_id === subjectId);
  }
}
