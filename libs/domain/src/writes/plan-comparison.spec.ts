import { DAY, newMemory, observe, SimulatedLifecycle } from './lifecycle.fixture.js';
import { planWrites } from './plan-writes.js';
import type { MemoryChange, NewMemory } from './types.js';

const DOG = 'The user has a dog named Rex.';
const REX = 'The user has a dog called Rex.';
const ofId = (memoryId: string) => ({ memoryId, revision: 1 });

const compare = (memoryId: string, ...same: string[]): MemoryChange => ({
  kind: 'compare',
  memoryId,
  statement: newMemory(REX),
  same: same.map(ofId),
});

/** Two memories with the same meaning, of which the first was recorded earlier. */
function remember(first: Partial<NewMemory> = {}, second: Partial<NewMemory> = {}): SimulatedLifecycle {
  const lifecycle = new SimulatedLifecycle();
  lifecycle.write([observe(DOG, first)], 20 * DAY);
  lifecycle.write([observe(REX, second)], 21 * DAY);
  return lifecycle;
}

describe('the comparison of a stored memory', () => {
  it.each([
    ['the one recorded later', 'id-2', 'id-1'],
    ['the one recorded earlier', 'id-1', 'id-2'],
  ])('merges the later of two memories into the earlier, whichever is compared: %s', (_which, id, same) => {
    const lifecycle = remember({}, { confidence: 0.9, pinned: true });
    const plan = lifecycle.write([compare(id, same)], 30 * DAY);
    expect(plan.results).toEqual([{ outcome: 'merged', memoryId: 'id-1' }]);
    expect(plan.history.map(({ memoryId, event, newRef }) => [memoryId, event, newRef])).toEqual([
      ['id-2', 'MERGE', 'id-1'],
      ['id-1', 'UPDATE', null],
    ]);
    expect(plan.sourceCopies).toEqual([{ fromId: 'id-2', toId: 'id-1' }]);
    expect(plan.changes.map(({ memoryId, event }) => [memoryId, event])).toEqual([
      ['id-2', 'merged'],
      ['id-1', 'updated'],
    ]);
    expect(lifecycle.rows.get('id-2')).toMatchObject({ supersededBy: 'id-1', state: 'active', content: REX });
    expect(lifecycle.rows.get('id-1')).toMatchObject({ content: DOG, pinned: true, confidence: 0.847059 });
    expect(lifecycle.current()).toEqual([DOG]);
  });

  it('changes nothing the second time', () => {
    const lifecycle = remember();
    lifecycle.write([compare('id-2', 'id-1')]);
    const again = lifecycle.write([compare('id-2', 'id-1'), compare('id-1', 'id-2')]);
    expect(again).toMatchObject({ updates: [], inserts: [], history: [], changes: [], sourceCopies: [] });
    expect(again.results.map(({ outcome }) => outcome)).toEqual(['not_current', 'unchanged']);
  });

  it('begins where the first of both statements began, with one row of history for each', () => {
    const lifecycle = remember({ validFrom: 9 * DAY }, { validFrom: 4 * DAY });
    const plan = lifecycle.write([compare('id-2', 'id-1')], 30 * DAY);
    expect(lifecycle.rows.get('id-1')).toMatchObject({ validFrom: 4 * DAY, validTo: null });
    expect(plan.history.map(({ event }) => event)).toEqual(['MERGE', 'UPDATE']);
    for (const day of [5, 12]) expect(lifecycle.asOf(day)).toEqual([DOG]);
    expect(lifecycle.asOf(12, 25 * DAY)).toEqual([DOG, REX].toSorted());
  });

  it('can be undone', () => {
    const lifecycle = remember({ validFrom: 9 * DAY }, { validFrom: 4 * DAY, confidence: 0.9 });
    const before = [...lifecycle.rows.values()];
    lifecycle.write([compare('id-2', 'id-1')], 30 * DAY);
    lifecycle.write([{ kind: 'undo', memoryId: 'id-2' }], 31 * DAY);
    for (const { id, validFrom, confidence } of before) {
      expect(lifecycle.rows.get(id)).toMatchObject({ validFrom, validTo: null, supersededBy: null, confidence });
    }
  });

  it.each([
    ['like the nearest one that is still current', ['id-2', 'id-1'], [DOG]],
    ['and stays, when it only means the same as one that was merged before it', ['id-2'], [DOG, 'Rex is a dog.']],
  ])('treats a memory %s', (_how, same, current) => {
    const lifecycle = remember();
    lifecycle.write([observe('Rex is a dog.')], 22 * DAY);
    lifecycle.write([compare('id-2', 'id-1'), compare('id-3', ...same)], 30 * DAY);
    expect(lifecycle.current()).toEqual(current);
  });

  it('ends with the same memory in every order', () => {
    const all = ['id-1', 'id-2', 'id-3'];
    for (const order of [all, all.toReversed(), ['id-2', 'id-3', 'id-1']]) {
      const lifecycle = remember();
      lifecycle.write([observe('Rex is a dog.')], 22 * DAY);
      lifecycle.write(
        order.map((id) => compare(id, ...all.toReversed())),
        30 * DAY,
      );
      expect(lifecycle.current()).toEqual([DOG]);
    }
  });

  it('leaves alone what is deleted, superseded or gone', () => {
    const lifecycle = remember();
    lifecycle.write([{ kind: 'delete', memoryId: 'id-1', by: 'user' }]);
    const plan = lifecycle.write([compare('id-1', 'id-2'), compare('id-2', 'id-1'), compare('id-9')]);
    expect(plan.results.map(({ outcome }) => outcome)).toEqual(['not_current', 'unchanged', 'not_found']);
    expect(plan.history).toEqual([]);
  });

  it('relates the memory to those near it with which it has no relation yet', () => {
    const { rows } = remember();
    const link = { from: 0, relationType: 'related_to', strength: 0.7 } as const;
    const relate = (linked: readonly string[]) =>
      planWrites([...rows.values()], [compare('id-2')], [{ ...link, toMemoryId: 'id-1' }], {
        now: 30 * DAY,
        nextId: () => 'unused',
        linkedIds: new Map([['id-2', new Set(linked)]]),
      });
    const plan = relate([]);
    expect(plan.links).toEqual([{ fromId: 'id-2', toId: 'id-1', relationType: 'related_to', strength: 0.7 }]);
    expect(plan.history.map(({ memoryId, event, newRef }) => [memoryId, event, newRef])).toEqual([
      ['id-2', 'LINK', 'id-1'],
    ]);
    expect(relate(['id-1'])).toMatchObject({ links: [], history: [] });
  });
});
