import { type AppMemory, MAX_APP_MEMORIES } from '@annals/domain';
import type { Infrastructure, JobAttempt, MindCaller, MindCounts, MindOutcome, MindRun } from '@annals/runtime';
import {
  type AppMemorySubject,
  loadAppMemoryPool,
  loadAppMemorySubject,
  loadSummarizableMessages,
  lockAppMemoryPool,
  type MadeAppMemory,
  type Tx,
  writeAppMemory,
} from '@annals/storage';
import { createByModel, createByRules, type MemoryCreation, type MemoryMaterial } from './create-memory.js';
import {
  type CarriedOut,
  type CompactionFailure,
  decideByModel,
  type PoolDecision,
  settlePool,
} from './decide-compaction.js';

export interface AppMemoryDependencies extends Pick<
  Infrastructure,
  'database' | 'clock' | 'ids' | 'metrics' | 'logger'
> {
  /** Null: no model is configured. */
  readonly caller: MindCaller | null;
  /** Of one question with its correction, in ms. */
  readonly timeLimitMs: number;
}

/** The memory that is to be written. */
interface Fresh {
  readonly memory: MadeAppMemory;
  readonly createdAt: number;
  /** Made in this run; else it was stored, and waited for a decision. */
  readonly isNew: boolean;
}

/** What the effect wrote, for the report. */
interface Written {
  readonly carriedOut: CarriedOut | null;
}

type Setback = Extract<MindOutcome, { outcome: 'wait' | 'failed' }>;

/**
 * One run about a conversation that has ended: makes its memory, and brings those of its app back to ten
 * (docs/reference/app-memories.md#failures). With a model it asks one question: a memory that needs a decision about
 * eleven is written as `pending`, and the run goes on with the decision. So no kill makes it be paid for twice.
 */
export class ConversationMemory {
  constructor(
    private readonly deps: AppMemoryDependencies,
    private readonly mindRun: MindRun,
    private readonly conversation: AppMemorySubject & { readonly appId: string; readonly endedAt: number },
    private readonly attempt: JobAttempt,
  ) {}

  async remember(): Promise<MindOutcome> {
    const fresh = await this.findOrCreate();
    if (fresh === null) return { outcome: 'done', counts: { memories: 0 } };
    if ('outcome' in fresh) return fresh;
    const { caller, timeLimitMs } = this.deps;
    if (!caller) return this.write(fresh, { by: 'rules' });
    const current = await this.read((tx) => loadOthers(tx, this.conversation));
    // One that ends at the same time may take the place that is seen here.
    if (current.length < MAX_APP_MEMORIES) return this.write(fresh, { by: 'age', failure: 'pool_changed' });
    // Pools that became one, since their app is shared now: no decision about one memory brings them back to ten.
    if (current.length > MAX_APP_MEMORIES) return this.write(fresh, { by: 'age', failure: null });
    if (fresh.isNew) return this.writePending(fresh);
    const question = { run: this.mindRun, caller, timeLimitMs };
    const decision = await decideByModel({ current, fresh: toAppMemory(fresh) }, question, this.attempt);
    if ('outcome' in decision) return decision;
    return this.write(fresh, decision);
  }

  /** The memory that waits for a decision, unless the conversation has grown since; null when there is none to make. */
  private async findOrCreate(): Promise<Fresh | Setback | null> {
    const { conversationId, userId, pending, lastSeq, appId } = this.conversation;
    const waiting = pending?.appId === appId ? pending : null;
    const stored = waiting && {
      memory: { ...waiting, conversationId },
      createdAt: waiting.createdAt,
      isNew: false,
    };
    if (waiting?.asOfSeq === lastSeq) return stored;
    const creation = await this.create();
    if (creation.outcome === 'wait') return creation;
    if (creation.outcome === 'failed') {
      const { code } = creation;
      this.reportFailure('creation', code);
      // Paid for at an earlier end: nothing else would bring it to its decision.
      return stored ?? { outcome: 'failed', code, isFinal: true };
    }
    if (creation.memory === null) return stored;
    const id = this.deps.ids.next();
    const memory = { id, appId, userId, conversationId, asOfSeq: lastSeq, ...creation.memory };
    return { memory, createdAt: this.deps.clock.now(), isNew: true };
  }

  private async create(): Promise<MemoryCreation> {
    const { conversationId, userId, names, summary, endedAt, lastSeq } = this.conversation;
    const readable = await this.read((tx) => loadSummarizableMessages(tx, conversationId, -1));
    // Later ones may not be indexed, and the conversation ends again.
    const messages = readable.filter(({ seq }) => seq <= lastSeq);
    if (messages.length === 0) return { outcome: 'made', memory: null };
    const material: MemoryMaterial = { user: { id: userId, names }, messages, summary, endedAt };
    const { caller, timeLimitMs } = this.deps;
    return caller
      ? createByModel(material, { run: this.mindRun, caller, timeLimitMs }, this.attempt)
      : { outcome: 'made', memory: await createByRules(material, this.attempt) };
  }

  private read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.deps.database.readTenant(this.mindRun.work.tenantId, work);
  }

  private writePending(fresh: Fresh): MindOutcome {
    const until = this.deps.clock.now();
    return {
      ...this.writing(fresh, 'pending', () => null),
      rest: { ends: 'deferred', reason: 'not_due', until },
    };
  }

  private write(fresh: Fresh, decision: PoolDecision): MindOutcome {
    return this.writing(fresh, 'active', (current) => settlePool(decision, { current, fresh: toAppMemory(fresh) }));
  }

  /** `settle`: what is carried out, of the pool under its lock. */
  private writing(
    fresh: Fresh,
    state: 'pending' | 'active',
    settle: (current: readonly AppMemory[]) => CarriedOut | null,
  ): Extract<MindOutcome, { outcome: 'done' }> {
    let written: Written | null = null;
    return {
      outcome: 'done',
      counts: { memories: fresh.isNew ? 1 : 0 },
      effect: async (tx): Promise<MindCounts | null> => {
        written = null;
        const conversation = await this.lockPool(tx);
        if (!conversation) return { memories: 0 };
        const current = await loadOthers(tx, conversation);
        const carriedOut = settle(current);
        const now = this.deps.clock.now();
        const plan = carriedOut?.plan ?? null;
        const replaces = state === 'active' ? (conversation.own?.id ?? null) : null;
        const result = await writeAppMemory(tx, { fresh: fresh.memory, replaces, plan, state, now });
        // Without the message that was hidden during the run, the memory is made again.
        if (result.outcome === 'hidden') return null;
        written = { carriedOut };
        // Of a part, nothing is said yet about what is active.
        return state === 'pending' ? {} : { active: result.active, removed: result.removed };
      },
      report: () => {
        if (written) this.report(fresh, written);
      },
    };
  }

  /**
   * The conversation as it is now, with the pool of its app locked; null when the app was uninstalled meanwhile, or the
   * conversation goes on in another one, for which it is asked for again when it ends.
   */
  private async lockPool(tx: Tx): Promise<AppMemorySubject | null> {
    const { conversationId, appId } = this.conversation;
    for (;;) {
      const conversation = await loadAppMemorySubject(tx, conversationId);
      if (!conversation?.app || conversation.appId !== appId) return null;
      if (await lockAppMemoryPool(tx, conversation.app, conversation.userId)) return conversation;
    }
  }

  private report({ memory, isNew }: Fresh, { carriedOut }: Written): void {
    const { metrics, logger } = this.deps;
    const { conversationId } = this.conversation;
    const { tenantId } = this.mindRun.work;
    const { id: memoryId, provider } = memory;
    if (isNew) {
      metrics.inc('memory_llm_app_memories_created_total', { provider });
      logger.info('app_memory_created', { tenantId, conversationId, memoryId });
    }
    if (!carriedOut) return;
    const { action, plan, failure } = carriedOut;
    if (failure !== null) this.reportFailure('compaction', failure);
    metrics.inc('memory_llm_app_memory_compactions_total', { action });
    for (const targetMemoryId of plan.edited ? [plan.edited.id] : plan.removedIds) {
      logger.info('app_memories_compacted', { tenantId, conversationId, action, targetMemoryId });
    }
  }

  private reportFailure(task: 'creation' | 'compaction', code: CompactionFailure): void {
    const { metrics, logger } = this.deps;
    const { conversationId } = this.conversation;
    metrics.inc('memory_llm_app_memory_failures_total', { task, code });
    logger.warn('app_memory_failed', { tenantId: this.mindRun.work.tenantId, conversationId, task, code });
  }
}

/** The memories that a new one of the conversation stands beside: all of the pool but the one that it replaces. */
async function loadOthers(tx: Tx, { app, userId, own }: AppMemorySubject): Promise<readonly AppMemory[]> {
  if (!app) return [];
  const pool = await loadAppMemoryPool(tx, app, userId);
  return pool.filter(({ id }) => id !== own?.id);
}

function toAppMemory({ memory: { id, content }, createdAt }: Fresh): AppMemory {
  return { id, content, createdAt, updatedAt: createdAt };
}
