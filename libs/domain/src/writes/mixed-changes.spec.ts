import fc from 'fast-check';
import { isCurrent } from './index-statistics.js';
import { DAY, Life, newMemory } from './life.fixture.js';
import type { MemoryChange, StoredMemory } from './types.js';

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

/** A change of one of the rows that are there, by its place among them. */
interface Step {
  readonly kind: MemoryChange['kind'];
  readonly place: number;
  readonly memory: ReturnType<typeof newMemory>;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('observe', 'supersede', 'delete', 'restore', 'undo', 'undo', 'release', 'reject', 'edit'),
  place: fc.nat(30),
  memory: statement,
});

function toChange({ kind, place, memory }: Step, rows: readonly StoredMemory[]): MemoryChange {
  const memoryId = rows.length === 0 ? 'nobody' : rows[place % rows.length]!.id;
  if (kind === 'observe') return { kind, memory };
  if (kind === 'supersede') return { kind, memoryId, memory: { ...memory, quarantineReason: null } };
  if (kind === 'delete') return { kind, memoryId, by: place % 2 === 0 ? 'user' : 'ttl' };
  if (kind === 'edit') return { kind, memoryId, patch: { pinned: place % 2 === 0 } };
  return { kind, memoryId };
}

function findTwins(rows: readonly StoredMemory[]): string[] {
  const contents = rows.map(({ content }) => content);
  return contents.filter((content, index) => contents.indexOf(content) < index);
}

describe('changes of any kind, in any order', () => {
  it('never leave two rows current, or two held back, that say the same', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
        const life = new Life();
        for (const [index, one] of steps.entries()) {
          life.write([toChange(one, [...life.rows.values()])], (20 + index) * DAY);
          const rows = [...life.rows.values()];
          expect(findTwins(rows.filter(isCurrent))).toEqual([]);
          expect(findTwins(rows.filter(({ state }) => state === 'quarantined'))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
