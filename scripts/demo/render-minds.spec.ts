import { isOpen } from './follow-minds.mjs';
import { readConversations } from './read-conversations.mjs';
import { renderConsolidation, renderInsights, renderSummary } from './render-minds.mjs';

const ground = (content: string | null, said_at: string | null = '2026-05-04T09:12:00Z') => ({ content, said_at });

describe('the summary of a thread', () => {
  it('says how long it is, who made it and how many messages a sentence rests on', () => {
    const sentences = ['Mara moved.', 'She sails.', 'She eats.'].map((text, index) => ({
      text,
      message_ids: ['a', 'b'].slice(0, index + 1),
    }));
    const compression = { ratio: 0.123, covered_tokens: 400 };
    expect(renderSummary('t', { depth: 'BRIEF', provider: 'local', compression, sentences }, 2)).toEqual([
      'Summary of t (BRIEF, 12 % of 400 tokens, by rules, without a model):',
      '  Mara moved. [1 message]',
      '  She sails. [2 messages]',
      '  … and 1 sentence',
    ]);
  });
});

describe('insights about a user', () => {
  it('are explained by what they rest on', () => {
    const insight = {
      content: 'Mentions deadlines again and again.',
      confidence: 0.6,
      provider: 'claude',
      ground: [ground('One.'), ground(null, null), ground('Three.'), ground('Four.'), ground('Five.')],
    };
    expect(renderInsights('mara', [insight])).toEqual([
      'Insights about mara (by claude):',
      '  Mentions deadlines again and again. (confidence 0.6)',
      '      Why do you think this?',
      '      "One." (2026-05-04)',
      '      (gone)',
      '      "Three." (2026-05-04)',
      '      … and 2 more sources',
    ]);
  });

  it('may be none', () => {
    expect(renderInsights('mara', [])).toEqual([expect.stringContaining('none')]);
  });
});

describe('a consolidation', () => {
  const change = (kind: string, memory_ids: string[], more = {}) => ({
    change: kind,
    state: 'written',
    reason: 'words',
    memory_ids,
    result_id: null,
    numbers: {},
    ...more,
  });
  const run = {
    id: 'r1',
    state: 'done',
    counts: { memories: 9, merges: 1, links: 1, reranks: 1 },
    changes: [
      change('rerank', ['a'], { reason: 'retrieved', numbers: { from: 2, to: 3 } }),
      change('merge', ['a', 'b'], { result_id: 'c' }),
      change('merge', ['a', 'd'], { state: 'refused' }),
      change('link', ['a', 'd'], { reason: 'related' }),
    ],
  };
  const texts = new Map([
    ['a', 'A.'],
    ['b', 'B.'],
    ['c', 'A and B.'],
  ]);

  it('shows what it changed, merges first, and how it is undone', () => {
    expect(renderConsolidation('mara', run, texts, 9)).toEqual([
      'Consolidation of the memories of mara: 9 read, 1 merged, 1 linked, 1 ranked.',
      '  merged (words): A and B.',
      '      from: A.',
      '      from: B.',
      '  linked (related): A. — (gone)',
      '  importance 2 → 3 (retrieved): A.',
      '  Undo it as a whole: POST /v1/consolidation/runs/r1/undo',
    ]);
    expect(renderConsolidation('mara', run, texts, 1)).toContain('  … and 2 more changes');
  });

  it.each([
    [{ state: 'unchanged' }, 'nothing has changed'],
    [{ state: 'failed', failure_code: 'timeout' }, 'failed (timeout)'],
  ])('says of %j: %s', (end, words) => {
    expect(renderConsolidation('mara', { ...run, ...end }, texts, 9)).toEqual([expect.stringContaining(words)]);
  });
});

describe('work of minds', () => {
  const now = Date.parse('2026-05-04T09:00:00Z');
  it.each([
    ['in_flight', '2026-05-04T08:00:00Z', true],
    ['waiting', '2026-05-04T08:00:00Z', true],
    ['waiting', '2026-05-04T10:00:00Z', false],
    ['deferred', '2026-05-04T08:00:00Z', false],
    ['failed', '2026-05-04T08:00:00Z', false],
  ])('that is %s, due %s, is waited for: %s', (status, due_at, isWaitedFor) => {
    expect(isOpen({ status, due_at }, now)).toBe(isWaitedFor);
  });
});

describe('a file of dated sessions', () => {
  it('is about who speaks first', () => {
    const messages = [
      { id: '1', speaker: 'Ann', text: 'Hi.' },
      { id: '2', speaker: 'Ben', text: 'Hello.' },
    ];
    const conversations = [{ id: 'c', sessions: [{ date: '2026-05-04T09:00:00Z', messages }] }];
    expect(readConversations({ conversations })).toMatchObject([{ userId: 'c', name: 'Ann' }]);
  });
});
