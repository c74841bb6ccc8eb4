import { randomBytes } from 'node:crypto';
import { analyzeQuestion, type MemoryChange, type NewMemory, type RecallCandidate } from '@annals/domain';
import { newMemory } from '@annals/testing';
import type { AcceptMessage } from '../conversations/index.js';
import { indexTurns } from '../lexical/index.js';
import { writeMemories, type ContentEmbedding } from '../memories/index.js';
import { findCandidates, type RecallFindings, type RecallSearch } from '../query/index.js';
import { post, say } from './post.contract.js';
import type { StorageBench } from './storage-bench.contract.js';

/** Two axes are enough to say what is near: tea points along the first, all else along the second. */
export const vectorOf = (content: string): Float32Array =>
  Float32Array.from(content.includes('tea') ? [1, 0] : content.includes('coffee') ? [0.8, 0.6] : [0, 1]);

const MODEL = 'axes';

/** Writes for and asks about users of one tenant. */
export class RecallBench {
  constructor(
    readonly bench: StorageBench,
    readonly tenantId: string,
  ) {}

  memory(content: string, fields: Partial<NewMemory> = {}): NewMemory {
    return newMemory(content, this.bench.clock.now(), { category: 'preferences', ...fields });
  }

  observe(content: string, fields: Partial<NewMemory> = {}): MemoryChange {
    return { kind: 'observe', memory: this.memory(content, fields) };
  }

  /** Applies changes and answers the ids that carry their statements. */
  async write(userId: string, ...changes: MemoryChange[]): Promise<string[]> {
    const contents = changes.flatMap((change) => ('memory' in change ? [change.memory.content] : []));
    const embeddings = new Map<string, ContentEmbedding>(
      contents.map((content) => [
        content,
        { model: MODEL, contentHash: Buffer.from(content), vector: vectorOf(content) },
      ]),
    );
    const { clock, ids } = this.bench;
    const result = await this.bench.inTenant(this.tenantId, (tx) =>
      writeMemories(tx, { userId, actor: 'test', node: 'api', changes, embeddings }, { clock, ids, randomBytes }),
    );
    if (result.outcome !== 'applied') throw new Error(`Not applied: ${result.outcome}`);
    return result.results.map((entry) => entry.memoryId);
  }

  remember(userId: string, ...contents: string[]): Promise<string[]> {
    return this.write(userId, ...contents.map((content) => this.observe(content)));
  }

  /** Posts what was said to a thread as one sealed batch; not yet indexed. Answers the batch. */
  async say(userId: string, threadId: string, ...turns: (string | Partial<AcceptMessage>)[]): Promise<string> {
    const messages = turns.map((turn) =>
      typeof turn === 'string' ? say(turn) : { ...say(turn.content ?? 'hello'), ...turn },
    );
    const { batchIds } = await post(this.bench, this.tenantId, { userId, threadId, messages, flush: true });
    return batchIds.at(-1)!;
  }

  index(batchId: string): Promise<'indexed' | 'already' | 'skipped'> {
    return this.bench.inTenant(this.tenantId, (tx) => indexTurns(tx, { batchId, now: this.bench.clock.now() }));
  }

  async sayAndIndex(userId: string, threadId: string, ...turns: (string | Partial<AcceptMessage>)[]): Promise<string> {
    const batchId = await this.say(userId, threadId, ...turns);
    await this.index(batchId);
    return batchId;
  }

  /** The message of these words. */
  async messageId(userId: string, content: string): Promise<string> {
    const [row] = await this.bench.inTenant(this.tenantId, (tx) =>
      tx.query<{ id: string }>(
        `SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE c.user_id = $1 AND m.content = $2`,
        [userId, content],
      ),
    );
    return row!.id;
  }

  search(userId: string, question: string, extra: Partial<RecallSearch> = {}): RecallSearch {
    const now = this.bench.clock.now();
    return {
      userId,
      queryVector: null,
      model: MODEL,
      question: analyzeQuestion(question, { now }),
      categories: null,
      types: null,
      asOf: null,
      knownAt: null,
      now,
      limit: 10,
      ...extra,
      filters: { ...extra.filters, user_id: userId },
    };
  }

  find(userId: string, question: string, extra: Partial<RecallSearch> = {}): Promise<RecallFindings> {
    const search = this.search(userId, question, extra);
    return this.bench.database.readTenant(this.tenantId, (tx) => findCandidates(tx, search));
  }

  async candidates(userId: string, question: string, extra: Partial<RecallSearch> = {}): Promise<RecallCandidate[]> {
    return [...(await this.find(userId, question, extra)).candidates];
  }

  /** What is found, in alphabetical order. */
  async contents(userId: string, question: string, extra: Partial<RecallSearch> = {}): Promise<string[]> {
    return (await this.candidates(userId, question, extra)).map(({ content }) => content).toSorted();
  }
}
