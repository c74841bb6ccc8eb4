import { cutChunks } from './cut-chunks.js';
import { findDueSummary, hasOnlyGrown, type SummaryOccasion, summaryWatermark } from './find-due-summary.js';
import { planRestoration } from './plan-restoration.js';
import { planSummary, type SummaryPlanInput } from './plan-summary.js';
import { measureCompression, selectSummaryLevel, targetSummaryTokens } from './summary-level.js';
import type { StoredSummary, SummarizedMessage, SummaryPlan, SummaryStep } from './types.js';

const SEED_LENGTHS = [12, 48, 33, 7, 90, 25, 61, 18, 44, 30];

function writeMessages(count: number, first = 1): SummarizedMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = first + index;
    return { id: `m${seq}`, seq, tokens: SEED_LENGTHS[seq % SEED_LENGTHS.length]! };
  });
}

/** What storage does with plans: stores each step, and makes tombstones. */
class SummaryStore {
  summaries: StoredSummary[] = [];
  private made = 0;

  plan(messages: readonly SummarizedMessage[], options: Partial<SummaryPlanInput> = {}): SummaryPlan {
    return planSummary({ kind: 'conversation', recipe: 'r1', messages, stored: this.summaries, ...options });
  }

  run(messages: readonly SummarizedMessage[], options: Partial<SummaryPlanInput> = {}): SummaryPlan {
    const plan = this.plan(messages, options);
    const replaced = new Set([...plan.tombstones, ...plan.steps.map(({ replaces }) => replaces)]);
    this.summaries = this.summaries.map((summary) =>
      replaced.has(summary.id) ? { ...summary, state: 'tombstoned' } : summary,
    );
    for (const step of plan.steps) this.summaries.push(this.store(step));
    return plan;
  }

  get live(): StoredSummary[] {
    return this.summaries.filter(({ state }) => state === 'live');
  }

  listLive(tier: string): number[] {
    return this.live.filter((summary) => summary.tier === tier).map(({ position }) => position);
  }

  private store(step: SummaryStep): StoredSummary {
    return { ...step, id: `s${(this.made += 1)}`, state: 'live' };
  }
}

const describeSteps = ({ steps }: SummaryPlan) =>
  steps.map(({ tier, position, prompt, inputs }) => {
    const read = inputs.map((input) =>
      input.type === 'messages' ? `${input.messages.length} messages` : `${input.tier}.${input.position}`,
    );
    return `${tier}.${position} ${prompt}: ${read.join(', ')}`;
  });

describe('levels', () => {
  it.each([
    [0, 'NONE'],
    [99, 'NONE'],
    [100, 'BRIEF'],
    [499, 'BRIEF'],
    [500, 'STANDARD'],
    [2_999, 'STANDARD'],
    [3_000, 'DETAILED'],
    [15_000, 'DETAILED'],
    [15_001, 'HIERARCHICAL'],
  ])('%i tokens are %s', (tokens, level) => {
    expect(selectSummaryLevel(tokens)).toBe(level);
  });

  it('has targets of a fifth, 12 % and 7 %, and one length for whatever is longer', () => {
    expect(targetSummaryTokens('L3', 'NONE', 50)).toBe(0);
    expect(targetSummaryTokens('L3', 'BRIEF', 400)).toBe(80);
    expect(targetSummaryTokens('L3', 'STANDARD', 1_000)).toBe(120);
    expect(targetSummaryTokens('L1', 'DETAILED', 3_000)).toBe(360);
    expect(targetSummaryTokens('L2', 'HIERARCHICAL', 15_000)).toBe(1_050);
    expect(targetSummaryTokens('L3', 'DETAILED', 10_000)).toBe(700);
    expect(targetSummaryTokens('L3', 'HIERARCHICAL', 400_000)).toBe(1_050);
  });

  it('measures compression against the target', () => {
    const summary = { tier: 'L3', level: 'STANDARD', coveredTokens: 1_000 } as const;
    expect(measureCompression(summary, 130)).toEqual({
      coveredTokens: 1_000,
      summaryTokens: 130,
      ratio: 0.13,
      targetRatio: 0.12,
      meetsTarget: true,
    });
    expect(measureCompression(summary, 140).meetsTarget).toBe(false);
  });
});

describe('cutChunks', () => {
  it('loses no message, ends at messages, and keeps within 3 000 tokens', () => {
    const messages = writeMessages(1_000);
    const chunks = cutChunks(messages);
    expect(chunks.flatMap((chunk) => chunk.messages)).toEqual(messages);
    expect(chunks.every(({ tokens }) => tokens <= 3_000)).toBe(true);
    expect(chunks.map(({ isClosed }) => isClosed).lastIndexOf(false)).toBe(chunks.length - 1);
    expect(chunks.filter(({ isClosed }) => !isClosed)).toHaveLength(1);
  });

  it('leaves closed chunks as they are when messages are appended', () => {
    const closed = (count: number) => cutChunks(writeMessages(count)).filter(({ isClosed }) => isClosed);
    const [before, after] = [closed(600), closed(601)];
    expect(after.slice(0, before.length)).toEqual(before);
  });

  it('keeps known ranges when messages in them are deleted', () => {
    const messages = writeMessages(400);
    const known = cutChunks(messages).filter(({ isClosed }) => isClosed);
    const [, second] = known;
    const left = messages.filter(({ seq }) => seq !== 5 && (seq < second!.fromSeq || seq > second!.toSeq));
    const chunks = cutChunks(left, known);
    expect(chunks.map(({ position }) => position)).toEqual([0, 2, 3, 4]);
    expect(chunks[1]!.messages).toEqual(known[2]!.messages);
  });

  it('gives a message that is longer than a chunk one of its own', () => {
    const messages = [100, 9_000, 100].map((tokens, index) => ({ id: `m${index}`, seq: index, tokens }));
    expect(cutChunks(messages).map(({ tokens }) => tokens)).toEqual([100, 9_000, 100]);
  });
});

describe('planSummary', () => {
  it('makes nothing of a short conversation, and one sentence or paragraph of all messages of a longer one', () => {
    expect(describeSteps(new SummaryStore().plan(writeMessages(2)))).toEqual([]);
    expect(describeSteps(new SummaryStore().plan([]))).toEqual([]);
    expect(describeSteps(new SummaryStore().plan(writeMessages(10)))).toEqual(['L3.0 BRIEF: 10 messages']);
    expect(describeSteps(new SummaryStore().plan(writeMessages(50)))).toEqual(['L3.0 STANDARD: 50 messages']);
  });

  it('reads a short conversation again, and goes on from a paragraph with what is new', () => {
    const store = new SummaryStore();
    store.run(writeMessages(10));
    expect(describeSteps(store.run(writeMessages(20)))).toEqual(['L3.0 STANDARD: 20 messages']);
    expect(describeSteps(store.run(writeMessages(23)))).toEqual(['L3.0 ROLLING: L3.0, 3 messages']);
    expect(store.summaries.map(({ state }) => state)).toEqual(['tombstoned', 'tombstoned', 'live']);
    expect(describeSteps(store.run(writeMessages(23)))).toEqual([]);
  });

  it('summarises chunks that are closed once, and the messages of the open one directly', () => {
    const store = new SummaryStore();
    store.run(writeMessages(70));
    expect(describeSteps(store.run(writeMessages(100)))).toEqual([
      'L1.0 CHUNK: 81 messages',
      'L3.0 ROLLING: L3.0, L1.0, 19 messages',
    ]);
    expect(describeSteps(store.run(writeMessages(120)))).toEqual(['L3.0 ROLLING: L3.0, 20 messages']);
    expect(describeSteps(new SummaryStore().plan(writeMessages(120)))).toEqual([
      'L1.0 CHUNK: 81 messages',
      'L3.0 META: L1.0, 39 messages',
    ]);
  });

  it('groups five chunks of a conversation above 15 000 tokens', () => {
    const store = new SummaryStore();
    const plan = store.run(writeMessages(500));
    expect(plan.level).toBe('HIERARCHICAL');
    expect(describeSteps(plan).slice(5)).toEqual([
      'L1.5 CHUNK: 80 messages',
      'L2.0 META: L1.0, L1.1, L1.2, L1.3, L1.4',
      'L3.0 META: L2.0, L1.5, 17 messages',
    ]);
    expect(describeSteps(store.run(writeMessages(510)))).toEqual(['L3.0 ROLLING: L3.0, 10 messages']);
  });

  it('makes again what a deletion touched, and nothing else', () => {
    const store = new SummaryStore();
    store.run(writeMessages(500));
    const left = writeMessages(500).filter(({ seq }) => seq !== 200);
    const plan = store.run(left);
    expect(describeSteps(plan)).toEqual([
      'L1.2 CHUNK: 79 messages',
      'L2.0 META: L1.0, L1.1, L1.2, L1.3, L1.4',
      'L3.0 META: L2.0, L1.5, 17 messages',
    ]);
    expect(plan.steps.every(({ replaces }) => replaces !== null)).toBe(true);
    expect(describeSteps(store.run(left))).toEqual([]);
  });

  it('makes tombstones of tiers that a shrunken conversation no longer has', () => {
    const store = new SummaryStore();
    store.run(writeMessages(500));
    const some = store.run(writeMessages(300));
    expect(some.level).toBe('DETAILED');
    expect([store.listLive('L1'), store.listLive('L2')]).toEqual([[0, 1, 2, 3], []]);
    store.run(writeMessages(40));
    expect([store.listLive('L1'), store.listLive('L3')]).toEqual([[], [0]]);
    store.run(writeMessages(1));
    expect(store.live).toEqual([]);
  });

  it('makes everything again for another kind', () => {
    const store = new SummaryStore();
    store.run(writeMessages(100));
    const plan = store.run(writeMessages(100), { kind: 'journal' });
    expect(describeSteps(plan)).toEqual(['L1.0 CHUNK: 81 messages', 'L3.0 META: L1.0, 19 messages']);
    expect(store.live.map(({ kind }) => kind)).toEqual(['journal', 'journal']);
  });

  it('keeps summaries of another version of the prompts', () => {
    const store = new SummaryStore();
    store.run(writeMessages(100));
    expect(describeSteps(store.plan(writeMessages(100), { recipe: 'r2' }))).toEqual([]);
  });

  it('plans the same from the messages after the last chunk when nothing was deleted', () => {
    const [all, appended] = [new SummaryStore(), new SummaryStore()];
    for (const count of [10, 60, 100, 300, 480, 500, 700]) {
      const through = Math.max(0, ...appended.live.filter(({ tier }) => tier === 'L1').map(({ toSeq }) => toSeq));
      const rest = writeMessages(count).filter(({ seq }) => seq > through);
      expect(appended.run(rest, { appendedOnly: true })).toEqual(all.run(writeMessages(count)));
    }
  });

  /** Calls and tokens that models read while a conversation grows message by message. */
  function grow(count: number, isDue: (tokens: number, known: number) => boolean) {
    const store = new SummaryStore();
    const messages = writeMessages(count);
    let [calls, tokensRead, tokens, known] = [0, 0, 0, 0];
    for (const [index, message] of messages.entries()) {
      tokens += message.tokens;
      if (!isDue(tokens, known)) continue;
      known = tokens;
      for (const { inputs } of store.run(messages.slice(0, index + 1)).steps) {
        calls += 1;
        for (const input of inputs) {
          if (input.type === 'messages') tokensRead += input.messages.reduce((sum, one) => sum + one.tokens, 0);
          else tokensRead += input.tier === 'L1' ? 360 : 1_050;
        }
      }
    }
    return { calls, tokensRead, tokens };
  }

  it('costs in proportion to the messages when it is summarised after each of 1 000', () => {
    const [half, whole] = [grow(500, () => true), grow(1_000, () => true)];
    const chunks = Math.ceil(whole.tokens / 2_900);
    expect(whole.calls).toBeLessThanOrEqual(1_000 + chunks + chunks / 5);
    // The last whole each time, and each message at most twice: as it is, and in its chunk.
    expect(whole.tokensRead).toBeLessThan(1_000 * 1_050 + 2.4 * whole.tokens);
    expect(whole.tokensRead / half.tokensRead).toBeLessThan(2.1);
  });

  it('costs little more than reading once when it is summarised by growth', () => {
    const grown = grow(1_000, (tokens, known) => tokens - known >= Math.max(1_000, known * 0.2));
    expect(grown.calls).toBeLessThan(40);
    expect(grown.tokensRead).toBeLessThan(2.5 * grown.tokens);
  });
});

describe('findDueSummary', () => {
  const MINUTE = 60_000;
  const open: SummaryOccasion = {
    now: 100 * MINUTE,
    endedAt: null,
    lastMessageAt: 99 * MINUTE,
    tokens: 900,
    coveredTokens: 0,
    appendedOnly: true,
  };
  const covered = { coveredTokens: 10_000 };

  it.each<[string, Partial<SummaryOccasion>, object]>([
    ['waits for five idle minutes', {}, { type: 'wait', until: 104 * MINUTE }],
    ['is due when idle', { lastMessageAt: 95 * MINUTE }, { type: 'due', reason: 'idle' }],
    ['needs 100 tokens to be due when idle', { lastMessageAt: 95 * MINUTE, tokens: 99 }, { type: 'small' }],
    [
      'needs none of them after a deletion',
      { ...covered, lastMessageAt: 95 * MINUTE, tokens: 9_000, appendedOnly: false },
      { type: 'due', reason: 'idle' },
    ],
    ['is due at the end', { endedAt: 100 * MINUTE, tokens: 1 }, { type: 'due', reason: 'end' }],
    ['is due after 1 000 tokens', { tokens: 1_000 }, { type: 'due', reason: 'growth' }],
    ['needs a fifth more later', { ...covered, tokens: 11_999 }, { type: 'wait', until: 104 * MINUTE }],
    ['is due after a fifth more', { ...covered, tokens: 12_000 }, { type: 'due', reason: 'growth' }],
  ])('%s', (_title, change, expected) => {
    expect(findDueSummary({ ...open, ...change })).toEqual(expected);
  });

  it('has a watermark that messages, deletions and the kind move', () => {
    const facts = { lastSeq: 9, deletions: 0, kind: 'conversation' };
    const changes = [facts, { ...facts, lastSeq: 10 }, { ...facts, deletions: 1 }, { ...facts, kind: 'journal' }];
    expect(new Set(changes.map(summaryWatermark)).size).toBe(4);
    const [first, ...later] = changes.map(summaryWatermark);
    expect(later.map((watermark) => hasOnlyGrown(first!, watermark))).toEqual([true, false, false]);
    expect(hasOnlyGrown(null, first!)).toBe(false);
  });
});

describe('planRestoration', () => {
  it('exchanges a tombstone for the live summary of its place', () => {
    const store = new SummaryStore();
    store.run(writeMessages(50));
    store.run(writeMessages(60));
    const restore = (id: string, hasDeletions = false) => planRestoration(id, store.summaries, () => hasDeletions);
    expect(restore('s1')).toEqual({ type: 'restore', id: 's1', tombstone: 's2' });
    expect(restore('s1', true)).toEqual({ type: 'refuse', reason: 'messages_deleted' });
    expect(restore('s2')).toEqual({ type: 'refuse', reason: 'live' });
    expect(restore('s3')).toEqual({ type: 'refuse', reason: 'unknown' });
  });
});
