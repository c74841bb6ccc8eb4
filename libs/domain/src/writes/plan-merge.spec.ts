import { DAY, observe, say, SimulatedLifecycle } from './lifecycle.fixture.js';
import { isCurrent } from './memory-row.js';
import type { MemoryChange } from './types.js';

const [SHORT, LONG] = ['The user works at Siemens.', 'The user works at Siemens as a team lead.'];
const BOTH = 'The user works at Siemens in Bonn as a team lead.';

function remember(): SimulatedLifecycle {
  const lifecycle = new SimulatedLifecycle();
  lifecycle.write([say(SHORT, 3, { importance: 2, confidence: 0.9 })], 10 * DAY);
  lifecycle.write([say(LONG, 5, { importance: 4 })], 11 * DAY);
  return lifecycle;
}

const merge = (content: string, more: object = {}): MemoryChange => ({
  kind: 'merge',
  memoryId: 'id-1',
  expectedRevision: 1,
  other: { memoryId: 'id-2', revision: 1 },
  content,
  importance: 4,
  validFrom: 3 * DAY,
  model: null,
  ...more,
});

describe('a merge of two memories', () => {
  it('writes a row that takes the place of both, with the sources of both, which never hold beside it', () => {
    const lifecycle = remember();
    const plan = lifecycle.write([merge(BOTH)]);
    expect(plan.results).toEqual([{ outcome: 'merged', memoryId: 'id-3' }]);
    expect(lifecycle.current()).toEqual([BOTH]);
    expect(lifecycle.rows.get('id-3')).toMatchObject({
      importance: 4,
      confidence: 0.9,
      validFrom: 3 * DAY,
      revision: 1,
    });
    for (const day of [3, 5, 30]) expect(lifecycle.asOf(day)).toEqual([BOTH]);
    expect(plan.sourceCopies).toEqual([
      { fromId: 'id-1', toId: 'id-3' },
      { fromId: 'id-2', toId: 'id-3' },
    ]);
    expect(plan.history.map(({ event, memoryId, newRef }) => [event, memoryId, newRef])).toEqual([
      ['MERGE', 'id-1', 'id-3'],
      ['MERGE', 'id-2', 'id-3'],
      ['ADD', 'id-3', null],
    ]);
    expect(plan.statistics.memories).toBe(-1);
  });

  it('has the vectors of the one whose text it has, and otherwise needs its own', () => {
    const worded = remember().write([merge(LONG)]);
    expect([worded.copies, worded.toEmbed]).toEqual([[{ fromId: 'id-2', toId: 'id-3' }], []]);
    const reworded = remember().write([merge(BOTH)]);
    expect([reworded.copies, reworded.toEmbed.map(({ id }) => id)]).toEqual([[], ['id-3']]);
  });

  it.each([
    ['one was changed since', { expectedRevision: 2 }, 'revision_conflict'],
    ['the other one was changed since', { other: { memoryId: 'id-2', revision: 2 } }, 'revision_conflict'],
    ['one is gone', { other: { memoryId: 'id-9', revision: 1 } }, 'not_found'],
    ['both are the same', { other: { memoryId: 'id-1', revision: 1 } }, 'unchanged'],
  ])('changes nothing when %s', (_name, more, outcome) => {
    const lifecycle = remember();
    const plan = lifecycle.write([merge(BOTH, more)]);
    expect([plan.results[0]!.outcome, plan.history, lifecycle.current()]).toEqual([outcome, [], [SHORT, LONG]]);
  });

  it('gives relations to the merged memory, and to no other when it was refused', () => {
    const [done, refused] = [{}, { expectedRevision: 2 }].map((more) => {
      const lifecycle = remember();
      lifecycle.write([observe('The user lives in Bonn.')]);
      const inherited = { from: 0, toMemoryId: 'id-3', relationType: 'related_to', strength: 0.5 } as const;
      return lifecycle.write([merge(BOTH, more)], 20 * DAY, [inherited]).links;
    });
    expect(done).toEqual([{ fromId: 'id-4', toId: 'id-3', relationType: 'related_to', strength: 0.5 }]);
    expect(refused).toEqual([]);
  });

  it('changes nothing when a third memory has the text already', () => {
    const lifecycle = remember();
    lifecycle.write([observe(BOTH)]);
    expect(lifecycle.write([merge(BOTH)]).results[0]!.outcome).toBe('unchanged');
    expect(lifecycle.current()).toEqual([SHORT, LONG, BOTH]);
  });

  it.each(['undo', 'split'] as const)('ends by %s: both hold as before, and nothing that was said is over', (kind) => {
    const lifecycle = remember();
    lifecycle.write([merge(LONG)]);
    const plan = lifecycle.write([{ kind, memoryId: 'id-3' }]);
    expect(plan.results[0]!.outcome).toBe('undone');
    expect(lifecycle.current()).toEqual([SHORT, LONG]);
    expect(lifecycle.rows.get('id-1')).toMatchObject({ validFrom: 3 * DAY, validTo: null, importance: 2 });
    expect(lifecycle.rows.get('id-3')).toMatchObject({ state: 'soft_deleted', deletedBy: 'undo' });
    expect(plan.unindexed).toEqual(['id-3']);
    expect(plan.history.find(({ memoryId }) => memoryId === 'id-3')!.meta['reason']).toBe('same_meaning');
    expect(plan.changes.map(({ memoryId, event, meta }) => [memoryId, event, meta['replaces']])).toEqual([
      ['id-1', 'updated', 'id-3'],
      ['id-2', 'updated', 'id-3'],
    ]);
  });

  it.each(['undo', 'restore'] as const)('is in the index again when %s brings it back', (kind) => {
    const lifecycle = remember();
    const { terms } = lifecycle.write([merge(BOTH)]);
    lifecycle.write([{ kind: 'undo', memoryId: 'id-3' }]);
    const again = lifecycle.write([{ kind, memoryId: 'id-3' }]);
    expect(again.terms.get('id-3')).toEqual(terms.get('id-3'));
    expect(again.unindexed).toEqual([]);
  });

  it('ends where it was ended: what it replaced is not current again', () => {
    const lifecycle = remember();
    lifecycle.write([merge(LONG)]);
    lifecycle.write([
      { ...(observe('The user retired.') as object), kind: 'supersede', memoryId: 'id-3' } as MemoryChange,
    ]);
    lifecycle.write([{ kind: 'split', memoryId: 'id-3' }], 30 * DAY);
    expect(lifecycle.current()).toEqual(['The user retired.']);
    expect([...lifecycle.rows.values()].filter(isCurrent)).toHaveLength(1);
  });
});
