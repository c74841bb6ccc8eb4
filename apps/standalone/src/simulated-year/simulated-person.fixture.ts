import { randomBytes } from 'node:crypto';
import type { MemoryChange, SeededRng } from '@annals/domain';
import { hashText } from '@annals/llm-core';
import {
  acceptMessages,
  askForSummaries,
  claimBatch,
  completeExtraction,
  indexTurns,
  recordAccess,
  type Tx,
  undoRun,
  writeMemories,
} from '@annals/storage';
import { MEMORY_PAIRS, newMemory, newMessage, newPost } from '@annals/testing';
import type { MindYear } from './mind-year.fixture.js';

const THINGS = ['deadlines', 'the garden', 'my violin', 'the old boat', 'my thesis', 'the choir'];
const FILLER = [
  'It was a long week and I walked home along the river.',
  'We cooked together and talked until it was late.',
  'On Tuesday the train was late again, so I read a book.',
  'I am glad that this is over, and I look forward to the weekend.',
];
/** Calendar days that share a thread, and those that share what is on the person's mind. */
const DAYS_OF_THREAD = 60;
const DAYS_OF_THING = 15;
/** Prime, so that all pairs have their turn, and kinds and domains alternate. */
const PAIR_STEP = 7;

/** One person over a year: speaks, reads, deletes, restores, and undoes what consolidation did. */
export class SimulatedPerson {
  private day = 0;
  private spoken = 0;
  /** What this person did, and what undoing runs did to changes of these. */
  readonly did = { deleted: 0, restored: 0, undoneRuns: 0, undoneChanges: 0 };

  constructor(
    private readonly year: MindYear,
    readonly tenantId: string,
    readonly userId: string,
    private readonly rng: SeededRng,
  ) {}

  private inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.year.database.inTenant(this.tenantId, work);
  }

  private chance(share: number): boolean {
    return this.rng.nextFloat() < share;
  }

  private get dependencies() {
    const { clock, ids, config } = this.year;
    return { clock, ids, randomBytes, purgeAfterMs: config.retention.purgeAfterMs };
  }

  async live(day: number): Promise<void> {
    this.day = day;
    // Both statements of a labelled pair, on two days.
    const pair = MEMORY_PAIRS[(Math.floor(this.spoken / 2) * PAIR_STEP) % MEMORY_PAIRS.length]!;
    const statement = this.spoken % 2 === 0 ? pair.a : pair.b;
    this.spoken += 1;
    await this.speak(statement);
    if (this.chance(0.5)) await this.read();
    if (this.chance(0.15) && (await this.changeOne('active', (memoryId) => ({ kind: 'delete', memoryId, by: 'user' }))))
      this.did.deleted += 1;
    if (this.chance(0.1) && (await this.changeOne('soft_deleted', (memoryId) => ({ kind: 'restore', memoryId }))))
      this.did.restored += 1;
    if (this.chance(0.06)) await this.undoLastRun();
  }

  /** A batch of three messages, of which the first is extracted and the second names what is on the person's mind. */
  private async speak(statement: string): Promise<void> {
    const { clock, ids } = this.year;
    const now = clock.now();
    const thing = THINGS[Math.floor(this.day / DAYS_OF_THING) % THINGS.length]!;
    const filler = () => FILLER[Math.floor(this.rng.nextFloat() * FILLER.length)]!;
    const said = [
      `${statement} ${filler()}`,
      `Today I worried about ${thing} again. ${filler()}`,
      `That is all for day ${this.day}. ${filler()}`,
    ];
    const threadId = `${this.userId} ${Math.floor(this.day / DAYS_OF_THREAD)}`;
    const embeddings = await this.embed(statement);
    await this.inTenant(async (tx) => {
      const messages = said.map((content, index) => newMessage(content, now + index));
      const posted = await acceptMessages(tx, newPost(messages, now, { userId: this.userId, threadId }), ids);
      const batchId = posted.batchIds[0]!;
      const claim = (kind: 'extraction' | 'persistence') =>
        claimBatch(tx, { batchId, generation: 1, kind, now, leaseMs: 5_000 });
      const held = await claim('extraction');
      if (held.outcome !== 'claimed') throw new Error(`The batch is ${held.outcome}.`);
      await completeExtraction(
        tx,
        {
          batchId,
          fence: held.fence,
          now,
          provider: 'local',
          model: 'rules',
          notice: null,
          items: [],
          answer: '{}',
          settlement: null,
          promptVersion: null,
          diagnostics: null,
          prunedMessages: 0,
          trace: null,
        },
        ids,
      );
      await indexTurns(tx, { batchId, now, ids });
      const claimed = await claim('persistence');
      if (claimed.outcome !== 'claimed') throw new Error(`The batch is ${claimed.outcome}.`);
      const [message] = await tx.query<{ id: string }>('SELECT id FROM messages WHERE batch_id = $1 ORDER BY seq', [
        batchId,
      ]);
      const memory = newMemory(statement, now, {
        origin: 'extraction',
        importance: 1 + Math.floor(this.rng.nextFloat() * 4),
        sources: [{ messageId: message!.id, quote: statement }],
      });
      await writeMemories(
        tx,
        {
          userId: this.userId,
          actor: 'extraction',
          node: 'hotpath',
          changes: [{ kind: 'observe', memory }],
          batch: { id: batchId, fence: claimed.fence, generation: 1 },
          embeddings,
        },
        this.dependencies,
      );
      await askForSummaries(tx, [posted.conversationId], { now, ids, trace: null });
    });
  }

  private async embed(content: string) {
    const { embedder } = this.year;
    const { vectors } = await embedder.embed([content], {
      signal: new AbortController().signal,
      billingContext: { tenantId: this.tenantId, userId: null, batch: null },
    });
    const contentHash = Buffer.from(hashText(content), 'hex');
    return new Map([[content, { model: embedder.model, contentHash, vector: vectors[0]! }]]);
  }

  private async list(state: 'active' | 'soft_deleted'): Promise<string[]> {
    const rows = await this.year.query<{ id: string }>(
      this.tenantId,
      `SELECT id FROM memories WHERE user_id = $1 AND state = $2 AND superseded_by IS NULL AND type <> 'insight' ORDER BY id`,
      [this.userId, state],
    );
    return rows.map(({ id }) => id);
  }

  private async pick(state: 'active' | 'soft_deleted'): Promise<string | undefined> {
    const ids = await this.list(state);
    return ids[Math.floor(this.rng.nextFloat() * ids.length)];
  }

  private async read(): Promise<void> {
    const memoryId = await this.pick('active');
    if (memoryId === undefined) return;
    await this.inTenant((tx) => recordAccess(tx, [{ memoryId, at: this.year.clock.now(), times: 1 }]));
  }

  /** False when there is no such memory. */
  private async changeOne(
    state: 'active' | 'soft_deleted',
    toChange: (memoryId: string) => MemoryChange,
  ): Promise<boolean> {
    const memoryId = await this.pick(state);
    if (memoryId === undefined) return false;
    const command = { userId: this.userId, actor: 'spec', node: 'api', changes: [toChange(memoryId)] } as const;
    await this.inTenant((tx) => writeMemories(tx, command, this.dependencies));
    return true;
  }

  private async undoLastRun(): Promise<void> {
    const [run] = await this.year.query<{ id: string }>(
      this.tenantId,
      `SELECT r.id FROM mind_runs r WHERE r.user_id = $1 AND r.kind = 'consolidation' AND r.state = 'done'
          AND EXISTS (SELECT FROM mind_run_changes c WHERE c.run_id = r.id AND c.state = 'written')
        ORDER BY r.id DESC LIMIT 1`,
      [this.userId],
    );
    if (!run) return;
    const { userId } = this;
    const undone = await this.inTenant((tx) =>
      undoRun(tx, { runId: run.id, userId, actor: 'spec' }, this.dependencies),
    );
    if (!undone) return;
    this.did.undoneRuns += 1;
    this.did.undoneChanges += undone.undone;
  }
}
