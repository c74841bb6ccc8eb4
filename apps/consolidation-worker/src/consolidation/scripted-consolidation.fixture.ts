import { randomBytes } from 'node:crypto';
import { consolidationQueue } from '@annals/contracts';
import { ManualClock, type MemoryChange, SeededRng, UuidV7Generator } from '@annals/domain';
import { createEmbeddingProvider, hashText } from '@annals/llm-core';
import {
  createMindWorkStage,
  createProcessContext,
  type MindAnswer,
  type MindCaller,
  type WorkEnding,
} from '@annals/runtime';
import {
  addMindRunCosts,
  claimWork,
  createTenant,
  Database,
  deferWork,
  enqueueWork,
  listMindRuns,
  readRunChanges,
  readSubjectOfUser,
  type Tx,
  writeMemories,
} from '@annals/storage';
import { createTestDatabase, newMemory, type ScriptedDecision, type TestDatabase } from '@annals/testing';
import { type ConsolidationDependencies, createConsolidationStage } from './consolidation-stage.js';

type Answer = (a: string, b: string) => ScriptedDecision;
type Question = Parameters<MindCaller['call']>[0];

const VERDICTS = { merge: 'SAME', link: 'RELATED', apart: 'DIFFERENT' } as const;
const PAIR = /<pair (?<name>p\d+)>\na \(since [^)]*\): (?<a>.*)\nb \(since [^)]*\): (?<b>.*)\n<\/pair>/gu;
export const TOKENS_PER_CALL = 1_000;

/** The mind over a database of its own and a model that answers by a script. Runs one job at a time. */
export class ScriptedConsolidation {
  readonly clock = new ManualClock(Date.UTC(2026, 4, 20, 9));
  readonly ids = new UuidV7Generator(this.clock, new SeededRng(1));
  readonly embedder = createEmbeddingProvider({ provider: 'hashed' });
  /** Pairs of each call. */
  readonly asked: (readonly (readonly [a: string, b: string])[])[] = [];
  answer: Answer | null = () => ({ verdict: 'apart' });
  setback: Exclude<MindAnswer<never>, { outcome: 'answered' }> | null = null;
  tokensPerDay = 1_000_000;
  /** How long each call of the model takes. */
  callMs = 0;
  /** How long each read of the mind takes. */
  readMs = 0;
  private tenants = 0;

  private constructor(
    readonly testDatabase: TestDatabase,
    readonly database: Database,
  ) {}

  static async open(): Promise<ScriptedConsolidation> {
    const testDatabase = await createTestDatabase();
    return new ScriptedConsolidation(testDatabase, await Database.open(testDatabase.app, { asksMinds: true }));
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.testDatabase.drop();
  }

  async addTenant(): Promise<string> {
    const id = this.ids.next();
    await createTenant(this.database, { id, name: `tenant ${++this.tenants}`, now: this.clock.now() });
    return id;
  }

  async remember(tenantId: string, userId: string, contents: readonly string[]): Promise<string[]> {
    const { vectors } = await this.embedder.embed(contents, {
      signal: new AbortController().signal,
      billingContext: { tenantId, userId: null, batch: null },
    });
    const { model } = this.embedder;
    const embeddings = new Map(
      contents.map((content, index) => [
        content,
        { model, contentHash: Buffer.from(hashText(content), 'hex'), vector: vectors[index]! },
      ]),
    );
    const changes = contents.map((content): MemoryChange => ({
      kind: 'observe',
      memory: newMemory(content, this.clock.now(), { importance: 2 }),
    }));
    const { clock, ids } = this;
    const written = await this.database.inTenant(tenantId, (tx) =>
      writeMemories(tx, { userId, actor: 'test', node: 'api', changes, embeddings }, { clock, ids, randomBytes }),
    );
    if (written.outcome !== 'applied') throw new Error(written.outcome);
    return written.results.map(({ memoryId }) => memoryId);
  }

  /** What is current, in alphabetical order. */
  async listCurrent(tenantId: string, userId: string): Promise<string[]> {
    const rows = await this.database.readTenant(tenantId, (tx) =>
      tx.query<{ content: string }>(
        `SELECT content FROM memories WHERE user_id = $1 AND state = 'active' AND superseded_by IS NULL
          AND valid_to IS NULL ORDER BY content`,
        [userId],
      ),
    );
    return rows.map(({ content }) => content);
  }

  async listRuns(tenantId: string, userId: string) {
    const query = { kind: 'consolidation', user_id: userId, limit: 50 } as const;
    return (await this.database.readTenant(tenantId, (tx) => listMindRuns(tx, query))).items;
  }

  readChanges(tenantId: string, runId: string) {
    return this.database.readTenant(tenantId, (tx) => readRunChanges(tx, runId));
  }

  readWork(tenantId: string, userId: string): Promise<{ available_at: Date; deferred_reason: string | null }[]> {
    return this.database.readTenant(tenantId, (tx) =>
      tx.query(
        `SELECT w.available_at, w.deferred_reason FROM work w JOIN users u ON u.subject_id = w.subject_id
          WHERE u.user_id = $1 AND w.kind = 'consolidation'`,
        [userId],
      ),
    );
  }

  get stage() {
    const { database, clock, ids, embedder, tokensPerDay } = this;
    const rng = new SeededRng(2);
    const caller = this.answer === null ? null : { call: (question: Question) => this.call(question) };
    const slowDatabase = {
      inTenant: database.inTenant.bind(database),
      readTenant: <T>(tenantId: string, work: (tx: Tx) => Promise<T>) => {
        clock.advance(this.readMs);
        return database.readTenant(tenantId, work);
      },
    };
    const dependencies = {
      database: slowDatabase,
      clock,
      ids,
      rng,
      embedder,
      tokensPerDay,
      caller,
      callTimeoutMs: 60_000,
      metrics: createProcessContext({ name: 'test', version: '0', logLevel: 'error', processMetrics: false }).metrics,
    } as unknown as ConsolidationDependencies;
    return createConsolidationStage(dependencies, 30_000);
  }

  /** Asks for a run now, and runs it as a worker would. `isKilled`: the worker dies before it commits. */
  async tick(tenantId: string, userId: string, { isKilled = false } = {}): Promise<WorkEnding | 'killed'> {
    const { database, clock, ids, stage } = this;
    const { logger, metrics } = createProcessContext({
      name: 'test',
      version: '0',
      logLevel: 'error',
      processMetrics: false,
    });
    const killed = isKilled ? { ...stage, run: () => Promise.reject(new Error('killed')) } : stage;
    if (isKilled) {
      const run = stage.run.bind(stage);
      killed.run = async (...given: Parameters<typeof run>) => {
        await run(...given);
        throw new Error('killed');
      };
    }
    const mind = createMindWorkStage({ database, clock, ids, rng: new SeededRng(2), logger, metrics }, killed);
    const attempt = {
      attempt: 1,
      attemptsLeft: 2,
      signal: new AbortController().signal,
      withoutSlot: <T>(wait: () => Promise<T>) => wait(),
    };
    const { work, input } = await database.inTenant(tenantId, async (tx) => {
      const subjectId = (await readSubjectOfUser(tx, userId))!;
      const now = clock.now();
      const kind = consolidationQueue.name;
      await enqueueWork(tx, [{ kind, subjectId, availableAt: now, trace: null }], { now, ids });
      const [row] = await tx.query<{ generation: number }>(
        `UPDATE work SET claimed_until = NULL WHERE subject_id = $1 AND kind = $2 RETURNING generation`,
        [subjectId, kind],
      );
      const job = { tenantId, subjectId, generation: row!.generation };
      const claim = await claimWork(tx, { kind, ...job, now, leaseMs: 30_000 });
      if (claim.outcome !== 'claimed') throw new Error(claim.outcome);
      return { work: { ...job, trace: null, ...claim }, input: await mind.load(tx, subjectId) };
    });
    try {
      const ending = await mind.run(work, input, attempt);
      if (ending.ends === 'deferred')
        await database.inTenant(tenantId, (tx: Tx) => deferWork(tx, { ...work, ...ending }));
      return ending;
    } catch (error) {
      if (isKilled) return 'killed';
      throw error;
    }
  }

  /** As `MindCaller`: one answer, and one correction when something is wrong with it. */
  private async call(question: Question): Promise<MindAnswer<never>> {
    if (this.setback) return this.setback;
    const text = await this.reply(question);
    let value = await question.parse(text);
    let problem = (await question.describeProblem?.(value)) ?? null;
    if (problem !== null) {
      value = await question.parse(await this.reply(question));
      problem = (await question.describeProblem?.(value)) ?? null;
    }
    const provider = { name: 'scripted', model: 'script-1' };
    return { outcome: 'answered', value, problem, first: null, provider } as never;
  }

  private async reply({ prompt, run }: Question): Promise<string> {
    const shown = [...prompt.user.matchAll(PAIR)].map(({ groups }) => groups as { name: string; a: string; b: string });
    this.asked.push(shown.map(({ a, b }) => [a, b] as const));
    this.clock.advance(this.callMs);
    await this.database.inTenant(run.work.tenantId, (tx) =>
      addMindRunCosts(tx, run.id, {
        calls: 1,
        energyMilli: 20_000,
        inputTokens: TOKENS_PER_CALL,
        outputTokens: 0,
        costMicroUsd: 0,
      }),
    );
    const pairs = shown.map(({ name, a, b }) => {
      const decision = this.answer!(a, b);
      const content = decision.verdict === 'merge' ? decision.content : null;
      return { id: name, verdict: VERDICTS[decision.verdict], text: content };
    });
    return JSON.stringify({ pairs });
  }
}
