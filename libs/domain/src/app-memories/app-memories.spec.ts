import { checkAppMemory } from './check-app-memory.js';
import { checkCompaction, needsCompaction, planCompaction, planFifo } from './plan-compaction.js';
import type { AppMemory, CompactionDecision } from './types.js';

const DAY = 24 * 60 * 60 * 1_000;
const memory = (id: string, content: string, day: number): AppMemory => ({
  id,
  content,
  createdAt: day * DAY,
  updatedAt: day * DAY,
});
const CURRENT = Array.from({ length: 10 }, (_each, at) => memory(`a${at}`, `The user owns ${at + 2} bikes.`, 10 - at));
const FRESH = memory('new', 'Lena reviews releases on 4 May 2026. The user does not deploy on Fridays.', 20);
const INPUT = { current: CURRENT, fresh: FRESH };
const MERGED = 'The user owns 2 bikes and does not deploy on Fridays. Lena reviews releases on 4 May 2026.';
const remove = (targetId: string): CompactionDecision => ({ action: 'delete', targetId, reason: 'old' });
const edit = (targetId: string, newContent: string): CompactionDecision => ({
  action: 'edit',
  targetId,
  newContent,
  reason: 'related',
});

describe('checkAppMemory', () => {
  const sources = [
    'I prefer window seats.',
    'I have booked the flight to Rome on 3 June.',
    'I do not fly at night.',
  ].map((content) => ({ content, saidAt: Date.UTC(2026, 4, 4) }));

  it.each([
    'The user prefers window seats.',
    'The user prefers window seats. A flight to Rome on 3 June was booked. The user does not fly at night.',
  ])('passes one to four sentences with the facts of the conversation: “%s”', (content) => {
    expect(checkAppMemory(content, sources)).toEqual([]);
  });

  it.each([
    ['', 'empty'],
    [' \n', 'empty'],
    [`The user prefers seats. ${'It is a window seat. '.repeat(20)}`, 'too_long'],
    ['The user flies. The user sits. The user books. The user waits. The user lands.', 'sentences'],
    ['I prefer window seats. A flight was booked.', 'not_third_person'],
    ['The user prefers window seats. A flight to Oslo was booked.', 'invented'],
    ['The user prefers window seats. A flight to Rome on 4 June was booked.', 'invented'],
    ['The user prefers window seats. The user likes to fly at night.', 'reversed'],
    ['The user does not like window seats. A flight to Rome was booked.', 'invented'],
  ])('reports “%s”: %s', (content, fault) => {
    expect(checkAppMemory(content, sources)).toContain(fault);
  });
});

describe('checkCompaction', () => {
  it('lets a decision delete any of the eleven', () => {
    expect([...CURRENT, FRESH].map(({ id }) => checkCompaction(remove(id), INPUT))).toEqual(Array(11).fill(null));
  });

  it('lets an edit merge the new memory into another one', () => {
    expect(checkCompaction(edit('a0', MERGED), INPUT)).toBeNull();
  });

  it.each<[string, CompactionDecision, string]>([
    ['a memory that was not shown', remove('a10'), 'unknown_target'],
    ['an edit of the new memory', edit('new', MERGED), 'edit_of_new'],
    ['an empty edit', edit('a0', ' '), 'unfit_content'],
    ['a long edit', edit('a0', `${MERGED} ${'And so on. '.repeat(40)}`), 'unfit_content'],
    ['a lost number', edit('a0', MERGED.replace('2 bikes', 'bikes')), 'lost_facts'],
    ['a lost name', edit('a0', MERGED.replace('Lena reviews', 'Somebody reviews')), 'lost_facts'],
    ['a lost date', edit('a0', MERGED.replace(' on 4 May 2026', '')), 'lost_facts'],
    ['a lost negation', edit('a0', MERGED.replace('does not deploy', 'deploys')), 'lost_facts'],
    ['an invented name', edit('a0', MERGED.replace('Lena', 'Lena and Tom')), 'invented_facts'],
  ])('reports %s', (_what, decision, fault) => {
    expect(checkCompaction(decision, INPUT)).toBe(fault);
  });
});

describe('planCompaction', () => {
  it.each([
    [remove('a3'), { removedIds: ['a3'], edited: null }],
    [remove('new'), { removedIds: ['new'], edited: null }],
    [edit('a0', MERGED), { removedIds: ['new'], edited: { id: 'a0', content: MERGED } }],
  ])('plans %j', (decision, plan) => {
    expect(planCompaction(decision, INPUT)).toEqual(plan);
  });
});

describe('planFifo', () => {
  it('removes the oldest beyond ten', () => {
    expect(planFifo([FRESH, ...CURRENT]).removedIds).toEqual(['a9']);
    expect(planFifo([...CURRENT, ...CURRENT.map((each) => ({ ...each, id: `b${each.id}` }))]).removedIds).toEqual([
      'a9',
      'ba9',
      'a8',
      'ba8',
      'a7',
      'ba7',
      'a6',
      'ba6',
      'a5',
      'ba5',
    ]);
    expect(planFifo(CURRENT).removedIds).toEqual([]);
  });

  it('is needed above ten only', () => {
    expect([needsCompaction(CURRENT), needsCompaction([...CURRENT, FRESH])]).toEqual([false, true]);
  });
});
