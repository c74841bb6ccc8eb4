import fc from 'fast-check';
import { hashContent } from '../hash/content-hash.js';
import { DAY, newMemory, observe, SimulatedLifecycle } from './lifecycle.fixture.js';
import { isCurrent } from './memory-row.js';
import { planWrites } from './plan-writes.js';
import type { MemoryChange, PlannedLink, StoredMemory } from './types.js';

describe('planWrites', () => {
  it('inserts a new statement, with one history row and one change', () => {
    const plan = new SimulatedLifecycle().write([observe('Ana lives in Berlin')]);
    expect(plan.results).toEqual([{ outcome: 'inserted', memoryId: 'id-1' }]);
    expect(plan.history.map((row) => row.event)).toEqual(['ADD']);
    expect(plan.changes.map((row) => row.event)).toEqual(['created']);
    expect(plan.statistics.memories).toBe(1);
  });

  it('skips the same content at the same confidence but stores its sources', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe('Ana lives in Berlin')]);
    const plan = lifecycle.write([observe('ana lives in berlin!', { sources: [{ messageId: 'm2', quote: 'q' }] })]);
    expect(plan.results[0]!.outcome).toBe('unchanged');
    expect(plan.history).toEqual([]);
    expect(plan.updates).toEqual([]);
    expect(plan.sources).toEqual([{ messageId: 'm2', quote: 'q', memoryId: 'id-1' }]);
  });

  it('merges a higher confidence for the same content, and never changes content', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe('Ana lives in Berlin', { confidence: 0.6 })]);
    const plan = lifecycle.write([observe('Ana LIVES in Berlin.', { confidence: 0.8 })]);
    expect(plan.results[0]!.outcome).toBe('updated');
    expect(plan.updates[0]).toMatchObject({ confidence: 0.685714, content: 'Ana lives in Berlin', revision: 2 });
    expect(plan.history.map((row) => row.event)).toEqual(['UPDATE']);
  });

  it('creates three rows for Berlin, Munich, Berlin', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe('Ana lives in Berlin', { validFrom: 1 * DAY, saidAt: 1 * DAY })]);
    lifecycle.write([
      { kind: 'supersede', memoryId: 'id-1', memory: newMemory('Ana lives in Munich', { validFrom: 5 * DAY }) },
    ]);
    lifecycle.write([
      {
        kind: 'supersede',
        memoryId: 'id-2',
        memory: newMemory('Ana lives in Berlin', { validFrom: 9 * DAY }),
      },
    ]);
    expect(lifecycle.rows.size).toBe(3);
    expect(lifecycle.current()).toEqual(['Ana lives in Berlin']);
    expect(lifecycle.rows.get('id-1')).toMatchObject({ supersededBy: 'id-2', validTo: 5 * DAY });
  });

  it('adds late evidence of an ended period to the row of that period', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe('Ana lives in Berlin', { validFrom: 1 * DAY })]);
    lifecycle.write([
      { kind: 'supersede', memoryId: 'id-1', memory: newMemory('Ana lives in Munich', { validFrom: 5 * DAY }) },
    ]);
    const plan = lifecycle.write([observe('Ana lives in Berlin', { validFrom: 3 * DAY, saidAt: 3 * DAY })]);
    expect(plan.results[0]).toEqual({ outcome: 'unchanged', memoryId: 'id-1' });
    expect(lifecycle.current()).toEqual(['Ana lives in Munich']);
  });

  it('does not restore a memory that the user deleted from messages before the deletion', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe('Ana likes tea')]);
    lifecycle.write([{ kind: 'delete', memoryId: 'id-1', by: 'user' }], 20 * DAY);
    expect(lifecycle.write([observe('Ana likes tea', { saidAt: 15 * DAY })], 30 * DAY).results[0]!.outcome).toBe(
      'suppressed',
    );
    expect(lifecycle.write([observe('Ana likes tea', { saidAt: 25 * DAY })], 30 * DAY).results[0]!.outcome).toBe(
      'inserted',
    );
  });

  it('restores an expired memory when it is stated again', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe('Ana likes tea')]);
    lifecycle.write([{ kind: 'delete', memoryId: 'id-1', by: 'ttl' }]);
    const plan = lifecycle.write([observe('Ana likes tea')]);
    expect(plan.history.map((row) => row.event)).toEqual(['RESTORE']);
    expect(lifecycle.current()).toEqual(['Ana likes tea']);
    expect(lifecycle.rows.size).toBe(1);
  });

  it('merges a restored row into the active row with the same content', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe('Ana likes tea')]);
    lifecycle.write([{ kind: 'delete', memoryId: 'id-1', by: 'user' }], 20 * DAY);
    lifecycle.write([observe('Ana likes tea', { saidAt: 25 * DAY })], 30 * DAY);
    const plan = lifecycle.write([{ kind: 'restore', memoryId: 'id-1' }], 31 * DAY);
    expect(plan.results[0]).toEqual({ outcome: 'merged', memoryId: 'id-2' });
    expect(plan.sourceCopies).toEqual([{ fromId: 'id-1', toId: 'id-2' }]);
    expect(lifecycle.current()).toEqual(['Ana likes tea']);
  });

  it('quarantines an ungrounded statement once, and never serves it', () => {
    const lifecycle = new SimulatedLifecycle();
    const baseless = { quarantineReason: 'quote_not_found', sources: [] };
    const first = lifecycle.write([observe('Ana owns a yacht', baseless)]);
    const second = lifecycle.write([observe('Ana owns a yacht', baseless)]);
    expect(first.results[0]!.outcome).toBe('quarantined');
    expect(first.history.map((row) => row.event)).toEqual(['QUARANTINE']);
    expect(first.changes).toEqual([]);
    expect(second.results[0]!.outcome).toBe('unchanged');
    expect(lifecycle.current()).toEqual([]);
    expect(first.terms.size).toBe(0);
  });

  it('never serves a quarantined memory, however it is deleted, stated again and restored', () => {
    const lifecycle = new SimulatedLifecycle();
    const heldBack = () => [...lifecycle.rows.values()].filter((row) => row.quarantineReason !== null);
    const baseless = { quarantineReason: 'quote_not_found', sources: [] };
    lifecycle.write([observe('Ana owns a yacht', baseless)]);
    lifecycle.write([{ kind: 'delete', memoryId: 'id-1', by: 'ttl' }]);
    lifecycle.write([observe('Ana owns a yacht')]);
    expect(lifecycle.current()).toEqual(['Ana owns a yacht']);
    lifecycle.write([{ kind: 'delete', memoryId: 'id-2', by: 'ttl' }]);
    lifecycle.write([observe('Ana owns a yacht', baseless)]);
    const plan = lifecycle.write([{ kind: 'restore', memoryId: 'id-1' }]);
    expect(plan.results[0]).toEqual({ outcome: 'merged', memoryId: 'id-3' });
    expect(heldBack().map((row) => row.state)).toEqual(['soft_deleted', 'quarantined']);
  });

  it('relates two statements of one answer once, by the strongest relation, when one of them is new and both are served', () => {
    const context = {
      now: 0,
      nextId: (
        (n) => () =>
          `id-${++n}`
      )(0),
    };
    const link: PlannedLink = { from: 0, to: 1, relationType: 'part_of', strength: 0.5 };
    const plan = planWrites(
      [],
      [observe('Ana has a sister'), observe('The sister of Ana is Eva')],
      [link, { ...link, relationType: 'follows', strength: 0.8 }, { ...link, from: 1, to: 0, strength: 0.6 }],
      context,
    );
    expect(plan.links).toEqual([{ fromId: 'id-1', toId: 'id-2', relationType: 'follows', strength: 0.8 }]);
    expect(plan.history.map((row) => row.event)).toEqual(['ADD', 'ADD', 'LINK']);
    const again = planWrites(
      plan.inserts,
      [observe('Ana has a sister'), observe('The sister of Ana is Eva')],
      [link],
      context,
    );
    expect(again.links).toEqual([]);
  });

  it('rejects an edit of a superseded or unknown memory', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe('Ana lives in Berlin', { validFrom: 1 * DAY })]);
    lifecycle.write([{ kind: 'supersede', memoryId: 'id-1', memory: newMemory('Ana lives in Munich') }]);
    const outcomes = lifecycle
      .write([
        { kind: 'edit', memoryId: 'id-1', patch: { pinned: true } },
        { kind: 'edit', memoryId: 'id-9', patch: { pinned: true } },
        { kind: 'edit', memoryId: 'id-2', patch: { pinned: true } },
        { kind: 'edit', memoryId: 'id-2', patch: { pinned: true } },
      ])
      .results.map((result) => result.outcome);
    expect(outcomes).toEqual(['not_current', 'not_found', 'updated', 'unchanged']);
  });

  const contents = fc.constantFrom('Ana likes tea', 'Ana likes tea!', 'Ana likes coffee', 'Ana lives in Berlin');
  const changeArbitrary = fc.oneof(
    fc.record({
      kind: fc.constant('observe' as const),
      content: contents,
      day: fc.nat(40),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      grounded: fc.boolean(),
    }),
    fc.record({ kind: fc.constantFrom('delete' as const, 'restore' as const, 'edit' as const), target: fc.nat(5) }),
    fc.record({ kind: fc.constant('supersede' as const), target: fc.nat(5), content: contents, day: fc.nat(40) }),
  );

  it('has at most one current row per hash and one history row per write, for any changes', () => {
    fc.assert(
      fc.property(fc.array(fc.array(changeArbitrary, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), (steps) => {
        const lifecycle = new SimulatedLifecycle();
        steps.forEach((step, index) => {
          const before = new Map(lifecycle.rows);
          const plan = lifecycle.write(
            step.map((change): MemoryChange => {
              if (change.kind === 'observe') {
                const at = change.day * DAY;
                return observe(change.content, {
                  confidence: change.confidence,
                  saidAt: at,
                  validFrom: at,
                  quarantineReason: change.grounded ? null : 'quote_not_found',
                });
              }
              const memoryId = `id-${change.target}`;
              if (change.kind === 'supersede') {
                return {
                  kind: 'supersede',
                  memoryId,
                  memory: newMemory(change.content, { validFrom: change.day * DAY }),
                };
              }
              if (change.kind === 'delete') return { kind: 'delete', memoryId, by: index % 2 === 0 ? 'user' : 'ttl' };
              if (change.kind === 'restore') return { kind: 'restore', memoryId };
              return { kind: 'edit', memoryId, patch: { pinned: true } };
            }),
            index * DAY,
          );
          const current = [...lifecycle.rows.values()].filter(isCurrent);
          expect(new Set(current.map((row) => row.hash)).size).toBe(current.length);
          for (const row of plan.updates) {
            expect(row.content).toBe(before.get(row.id)!.content);
            expect(row.hash).toBe(hashContent(row.content));
            expect(plan.history.some((entry) => entry.memoryId === row.id)).toBe(true);
          }
          const revisions = (rows: Iterable<StoredMemory>) => [...rows].reduce((sum, row) => sum + row.revision, 0);
          expect(plan.history.length).toBe(revisions(lifecycle.rows.values()) - revisions(before.values()));
          for (const row of lifecycle.rows.values()) {
            if (row.validTo !== null) expect(row.validTo).toBeGreaterThanOrEqual(row.validFrom);
          }
        });
        const served = [...lifecycle.rows.values()].filter(isCurrent);
        expect(served.every((row) => row.deletedAt === null && row.supersededBy === null)).toBe(true);
      }),
    );
  });
});
