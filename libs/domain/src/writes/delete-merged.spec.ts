import { DAY, newMemory, observe, SimulatedLifecycle } from './lifecycle.fixture.js';
import type { MemoryChange } from './types.js';

const DOG = 'The user has a dog named Rex.';
const [CALLED, IS] = ['The user has a dog called Rex.', 'Rex is a dog.'];

const merge = (memoryId: string, into: string): MemoryChange => ({
  kind: 'compare',
  memoryId,
  statement: newMemory(IS),
  same: [{ memoryId: into, revision: 1 }],
});

/** `id-3` was merged into `id-2`, and that into `id-1`. */
function rememberMerged(): SimulatedLifecycle {
  const lifecycle = new SimulatedLifecycle();
  for (const [day, content] of [DOG, CALLED, IS].entries()) lifecycle.write([observe(content)], (20 + day) * DAY);
  lifecycle.write([merge('id-3', 'id-2')], 23 * DAY);
  lifecycle.write([merge('id-2', 'id-1')], 24 * DAY);
  return lifecycle;
}

/** As of a release that deleted `id-1` only. */
function leave({ rows }: SimulatedLifecycle): void {
  for (const id of ['id-2', 'id-3']) {
    rows.set(id, { ...rows.get(id)!, state: 'active', deletedAt: null, deletedBy: null, purgeAt: null });
  }
}

const remove: Extract<MemoryChange, { kind: 'delete' }> = { kind: 'delete', memoryId: 'id-1', by: 'user' };
const states = ({ rows }: SimulatedLifecycle) => [...rows.values()].map(({ state }) => state);
const ALL_DELETED = ['soft_deleted', 'soft_deleted', 'soft_deleted'];
const ALL_ACTIVE = ['active', 'active', 'active'];

describe('what was merged into a memory', () => {
  it('is deleted with it, each with its own row of history and change, and purged with it', () => {
    const lifecycle = rememberMerged();
    const plan = lifecycle.write([remove], 30 * DAY);
    expect(plan.results).toEqual([{ outcome: 'deleted', memoryId: 'id-1' }]);
    expect(states(lifecycle)).toEqual(ALL_DELETED);
    expect(plan.history.map(({ memoryId, event, meta }) => [memoryId, event, meta['with']])).toEqual([
      ['id-1', 'DELETE', ['id-2', 'id-3']],
      ['id-2', 'DELETE', ['id-1', 'id-3']],
      ['id-3', 'DELETE', ['id-1', 'id-2']],
    ]);
    expect(plan.changes.map(({ memoryId, event }) => [memoryId, event])).toEqual([
      ['id-1', 'deleted'],
      ['id-2', 'deleted'],
      ['id-3', 'deleted'],
    ]);
    expect(new Set([...lifecycle.rows.values()].map(({ purgeAt }) => purgeAt)).size).toBe(1);
  });

  it.each(['restore', 'undo'] as const)('comes back with it by %s, merged as it was', (kind) => {
    const lifecycle = rememberMerged();
    const before = [...lifecycle.rows.values()].map(({ id, supersededBy, validTo }) => ({ id, supersededBy, validTo }));
    lifecycle.write([remove], 30 * DAY);
    lifecycle.write([{ kind, memoryId: 'id-1' }], 31 * DAY);
    expect(states(lifecycle)).toEqual(ALL_ACTIVE);
    expect([...lifecycle.rows.values()]).toMatchObject(before);
    expect(lifecycle.current()).toEqual([DOG]);
  });

  it('stays deleted when it was deleted by itself before', () => {
    const lifecycle = rememberMerged();
    lifecycle.write([{ ...remove, memoryId: 'id-3' }], 29 * DAY);
    lifecycle.write([remove], 30 * DAY);
    lifecycle.write([{ kind: 'restore', memoryId: 'id-1' }], 31 * DAY);
    expect(states(lifecycle)).toEqual(['active', 'active', 'soft_deleted']);
  });

  it('is deleted when the memory is deleted once more, after a release that left it', () => {
    const lifecycle = rememberMerged();
    lifecycle.write([remove], 30 * DAY);
    leave(lifecycle);
    const again = lifecycle.write([remove], 31 * DAY);
    expect(again.results).toEqual([{ outcome: 'deleted', memoryId: 'id-1' }]);
    expect(again.history.map(({ memoryId }) => memoryId)).toEqual(['id-2', 'id-3']);
    expect(lifecycle.write([remove], 32 * DAY).results).toEqual([{ outcome: 'unchanged', memoryId: 'id-1' }]);
  });

  it('is deleted when the memory is purged, after a release that left it, unless it had merely expired', () => {
    for (const by of ['user', 'ttl'] as const) {
      const lifecycle = rememberMerged();
      lifecycle.write([{ ...remove, by }], 30 * DAY);
      leave(lifecycle);
      const plan = lifecycle.write([{ kind: 'purge', memoryId: 'id-1' }], 61 * DAY);
      expect(plan.purges).toEqual(['id-1']);
      const left = by === 'user' ? ['id-2', 'id-3'] : [];
      expect(plan.history.map(({ memoryId, event }) => [memoryId, event])).toEqual([
        ...left.map((id) => [id, 'DELETE']),
        ['id-1', 'PURGE'],
      ]);
      expect(plan.updates).toMatchObject(left.map((id) => ({ id, deletedBy: 'user', purgeAt: 91 * DAY })));
    }
  });

  it('is purged with it when it is due as well', () => {
    const lifecycle = rememberMerged();
    lifecycle.write([remove], 30 * DAY);
    const purge = ['id-1', 'id-2', 'id-3'].map((memoryId) => ({ kind: 'purge', memoryId }) as const);
    const plan = lifecycle.write(purge, 61 * DAY);
    expect([plan.purges, plan.updates]).toEqual([['id-1', 'id-2', 'id-3'], []]);
  });

  it('does not expire with it, and is no memory that it merely replaced', () => {
    const expired = rememberMerged();
    expired.write([{ ...remove, by: 'ttl' }], 30 * DAY);
    expect(states(expired)).toEqual(['soft_deleted', 'active', 'active']);
    const replaced = new SimulatedLifecycle();
    replaced.write([observe('The user lives in Lisbon.')], 20 * DAY);
    replaced.write([{ kind: 'supersede', memoryId: 'id-1', memory: newMemory('The user lives in Porto.') }], 21 * DAY);
    replaced.write([{ ...remove, memoryId: 'id-2' }], 30 * DAY);
    expect(states(replaced)).toEqual(['active', 'soft_deleted']);
  });
});
