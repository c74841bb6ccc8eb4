import type { ChangeEvent } from '@annals/contracts';
import fc from 'fast-check';
import { computeNetChanges } from '../delta/compute-net-changes.js';
import type { ThreadChange } from '../delta/thread-changes.js';
import { DAY, newMemory, SimulatedLifecycle } from './lifecycle.fixture.js';
import { isCurrent } from './memory-row.js';
import type { ImportedStatement, MemoryChange, StoredMemory, WritePlan } from './types.js';

const STATEMENTS = [
  'The user lives in Bonn.',
  'The user lives in Rome.',
  'The user lives in Oslo.',
  'The user drinks tea.',
  'The user drinks milk.',
];

const statement = fc
  .record({
    content: fc.constantFrom(...STATEMENTS),
    day: fc.integer({ min: 1, max: 19 }),
    origin: fc.constantFrom('extraction' as const, 'manual' as const),
    isHeldBack: fc.nat(9).map((chance) => chance === 0),
  })
  .map(({ content, day, origin, isHeldBack }) =>
    newMemory(content, {
      origin,
      validFrom: day * DAY,
      quarantineReason: isHeldBack ? 'quote_not_found' : null,
    }),
  );

/** A change of one of the existing rows, by its index. */
interface Step {
  readonly kind: Exclude<MemoryChange['kind'], 'import'> | 'import_again' | 'import_new';
  readonly index: number;
  readonly memory: ReturnType<typeof newMemory>;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    'observe',
    'supersede',
    'delete',
    'restore',
    'undo',
    'undo',
    'release',
    'reject',
    'edit',
    'compare',
    'merge',
    'split',
    'import_new',
    'import_again',
  ),
  index: fc.nat(30),
  memory: statement,
});

function toChange({ kind, index, memory }: Step, rows: readonly StoredMemory[]): MemoryChange {
  const memoryId = rows.length === 0 ? 'nobody' : rows[index % rows.length]!.id;
  if (kind === 'observe') return { kind, memory };
  if (kind === 'supersede') return { kind, memoryId, memory: { ...memory, quarantineReason: null } };
  if (kind === 'delete') return { kind, memoryId, by: index % 2 === 0 ? 'user' : 'ttl' };
  if (kind === 'import_new' || kind === 'import_again') {
    const id = kind === 'import_again' ? memoryId : `imported-${index}`;
    return { kind: 'import', memory: importOf({ ...memory, quarantineReason: null }, { id, index, memoryId }) };
  }
  if (kind === 'edit') return { kind, memoryId, patch: { pinned: index % 2 === 0 } };
  if (kind === 'merge') return mergeWithNext(rows, memoryId, { index, content: memory.content });
  if (kind === 'compare') return compareWithNext(rows, memoryId, index);
  return { kind, memoryId };
}

/** A memory that was known elsewhere: current, over, or replaced by a stored one. */
function importOf(
  memory: Step['memory'],
  { id, index, memoryId }: { readonly id: string; readonly index: number; readonly memoryId: string },
): ImportedStatement {
  const isOver = index % 3 !== 0;
  const validTo = isOver ? memory.validFrom + index * DAY : null;
  const supersededBy = index % 3 === 2 ? memoryId : null;
  return { ...memory, id, recordedAt: memory.saidAt, validTo, closedAt: validTo, formerEnds: [], supersededBy };
}

/** A similarity check by which a memory means the same as the one behind it. */
function compareWithNext(rows: readonly StoredMemory[], memoryId: string, index: number): MemoryChange {
  const { content, type } = rows.find(({ id }) => id === memoryId) ?? newMemory('Nothing.');
  const same = rows.length === 0 ? [] : [rows[(index + 1) % rows.length]!];
  const refs = same.map(({ id, revision }) => ({ memoryId: id, revision }));
  return { kind: 'compare', memoryId, statement: { content, type }, same: refs };
}

/** A memory and the one behind it become one, with the content of a third one as well. */
function mergeWithNext(
  rows: readonly StoredMemory[],
  memoryId: string,
  { index, content }: { readonly index: number; readonly content: string },
): MemoryChange {
  const { id, revision } = rows[(index + 1) % Math.max(1, rows.length)] ?? { id: 'nobody', revision: 1 };
  const other = { memoryId: id, revision };
  return { kind: 'merge', memoryId, other, content, importance: 3, validFrom: index * DAY, model: null };
}

function findDuplicates(rows: readonly StoredMemory[]): string[] {
  const contents = rows.map(({ content }) => content);
  return contents.filter((content, index) => contents.indexOf(content) < index);
}

/** Rows of change_log for a header of the only thread. */
function readChanges({ changes }: WritePlan, revision: number): ThreadChange[] {
  const nameOf = (value: unknown) => (typeof value === 'string' ? value : null);
  const told = changes.filter(({ reach }) => reach === 'all');
  return told.map(({ memoryId, event, category, meta }, n) => ({
    revision,
    n,
    event,
    memoryId,
    category,
    formerCategory: nameOf(meta['formerCategory']),
    importance: Number(meta['importance']),
    replaces: nameOf(meta['replaces']),
    mergedInto: nameOf(meta['mergedInto']),
    content: null,
  }));
}

describe('changes of any kind, in any order', () => {
  it('never leave two current, or two quarantined, rows with the same content', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
        const lifecycle = new SimulatedLifecycle();
        for (const [index, one] of steps.entries()) {
          lifecycle.write([toChange(one, [...lifecycle.rows.values()])], (20 + index) * DAY);
          const rows = [...lifecycle.rows.values()];
          expect(findDuplicates(rows.filter(isCurrent))).toEqual([]);
          expect(findDuplicates(rows.filter(({ state }) => state === 'quarantined'))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('have a net effect that agrees with the final rows, for any window', () => {
    const ENDS: readonly ChangeEvent[] = ['deleted', 'soft_deleted'];
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }), fc.nat(20), (steps, begin) => {
        const lifecycle = new SimulatedLifecycle();
        const changes: ThreadChange[] = [];
        let known = new Set<string>();
        for (const [index, one] of steps.entries()) {
          if (index === begin) known = new Set(lifecycle.rows.keys());
          const plan = lifecycle.write([toChange(one, [...lifecycle.rows.values()])], (20 + index) * DAY);
          changes.push(...readChanges(plan, index));
        }
        // Two kinds of rows begin without a change_log entry, and later entries report them as changed: the second part
        // of a row that was split, and a quarantined row that is released beside a row with the same content.
        const isUnlogged = ({ event, meta }: (typeof lifecycle.history)[number]) =>
          event === 'QUARANTINE' || meta['reason'] === 'continues';
        const isWhole = !lifecycle.history.some(isUnlogged);
        for (const { event, memoryId } of computeNetChanges(changes.filter(({ revision }) => revision >= begin))) {
          const isThere = lifecycle.rows.get(memoryId)!.state === 'active';
          expect([memoryId, event, isThere]).toEqual([memoryId, event, !ENDS.includes(event)]);
          if (known.size === 0 && isWhole) expect([memoryId, event]).toEqual([memoryId, 'created']);
        }
      }),
      { numRuns: 300 },
    );
  });
});
