import fc from 'fast-check';
import { DAY, newMemory, observe, say, SimulatedLifecycle } from './lifecycle.fixture.js';
import { isCurrent } from './memory-row.js';
import type { MemoryChange } from './types.js';

const livesIn = (city: string, day: number) => say(`The user lives in ${city}.`, day);
const at = (city: string) => `The user lives in ${city}.`;

describe('a timeline', () => {
  it('follows a user who moves three times, and back', () => {
    const lifecycle = new SimulatedLifecycle();
    ['Berlin', 'Munich', 'Hamburg', 'Berlin'].forEach((city, index) => {
      lifecycle.write([livesIn(city, 10 * (index + 1))], (10 * index + 11) * DAY);
    });
    expect(lifecycle.current()).toEqual([at('Berlin')]);
    expect([5, 10, 19, 25, 35, 45].map((day) => lifecycle.asOf(day))).toEqual(
      [[], ['Berlin'], ['Berlin'], ['Munich'], ['Hamburg'], ['Berlin']].map((cities) => cities.map(at)),
    );
    expect(lifecycle.rows.size).toBe(4);
    const chain = [...lifecycle.rows.values()].map(({ supersededBy }) => supersededBy);
    expect(chain).toEqual(['id-2', 'id-3', 'id-4', null]);
  });

  it('returns for each known_at what was known then', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Berlin', 1)], 2 * DAY);
    lifecycle.write([livesIn('Munich', 9)], 20 * DAY);
    lifecycle.write([livesIn('Hamburg', 5)], 30 * DAY);
    expect([2, 6, 10].map((day) => lifecycle.asOf(day))).toEqual([[at('Berlin')], [at('Hamburg')], [at('Munich')]]);
    expect([2, 6, 10].map((day) => lifecycle.asOf(day, 25 * DAY))).toEqual([
      [at('Berlin')],
      [at('Berlin')],
      [at('Munich')],
    ]);
    expect([2, 6, 10].map((day) => lifecycle.asOf(day, 15 * DAY))).toEqual([
      [at('Berlin')],
      [at('Berlin')],
      [at('Berlin')],
    ]);
  });

  it('inserts an older statement as ended, and reports the outcome', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Munich', 9)]);
    const plan = lifecycle.write([livesIn('Berlin', 3)]);
    expect(plan.results).toEqual([{ outcome: 'inserted_ended', memoryId: 'id-2' }]);
    expect(lifecycle.rows.get('id-2')).toMatchObject({ validTo: 9 * DAY, supersededBy: 'id-1', closedAt: 20 * DAY });
    expect(lifecycle.current()).toEqual([at('Munich')]);
  });

  it('serves a memory until its future successor begins', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Berlin', 1)], 20 * DAY);
    lifecycle.write([observe('The user lives in Munich.', { validFrom: 30 * DAY, saidAt: 20 * DAY })], 20 * DAY);
    expect(lifecycle.asOf(20)).toEqual([at('Berlin')]);
    expect(lifecycle.asOf(31)).toEqual([at('Munich')]);
  });

  it('lets the newest report win, whatever date it names', () => {
    const lifecycle = new SimulatedLifecycle();
    const told = Date.UTC(2026, 4, 10);
    lifecycle.write([observe('The user lives in Berlin.', { validFrom: Date.UTC(2026, 3, 20) })], told);
    const plan = lifecycle.write(
      [observe('The user moved to Rome in April 2026.', { validFrom: Date.UTC(2026, 3, 1), saidAt: told })],
      told,
    );
    expect(plan.results[0]!.outcome).toBe('superseded');
    expect(lifecycle.current()).toEqual(['The user moved to Rome in April 2026.']);
    expect(lifecycle.rows.get('id-1')).toMatchObject({ supersededBy: 'id-2', validTo: Date.UTC(2026, 3, 20) });
    lifecycle.write(
      [observe('The user moved to Prague in 2015.', { validFrom: Date.UTC(2015, 0, 1), saidAt: told + DAY })],
      told + DAY,
    );
    expect(lifecycle.current()).toEqual(['The user moved to Prague in 2015.']);
  });

  it.each([
    ['The user lived in Faro back then.', 40, 40],
    ["The user's landlord was Mr. Keller in 1970.", 1, 40],
    ['The user worked as a waiter until 1970.', 0, 0],
  ])('enters as ended what speaks of the past: %s', (content, from, to) => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Porto', 10), say("The user's landlord is Mrs. Ortiz.", 10)]);
    const before = lifecycle.current();
    const validFrom = Math.min(from, 40) * DAY;
    lifecycle.write([observe(content, { validFrom, saidAt: 40 * DAY })], 41 * DAY);
    expect(lifecycle.current()).toEqual(before);
    expect([...lifecycle.rows.values()].at(-1)).toMatchObject({ content, validTo: to * DAY, supersededBy: null });
  });

  it.each([
    ['The user has lived in Porto since moving there in 1970.', 'semantic'],
    ['The user worked at the polls in 1970.', 'episodic'],
  ] as const)('leaves open what still holds, and what happened once: %s', (content, type) => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe(content, { type, validFrom: 0, saidAt: 40 * DAY })], 41 * DAY);
    expect(lifecycle.current()).toEqual([content]);
  });

  it('returns to the value before the current one', () => {
    const lifecycle = new SimulatedLifecycle();
    const server = (name: string) => `The staging server is ${name}.`;
    lifecycle.write([say(server('eu-3'), 1)]);
    lifecycle.write([say(server('eu-5'), 5)]);
    const plan = lifecycle.write([say('The previous staging server is used again.', 9)]);
    expect(plan.results[0]!.outcome).toBe('superseded');
    expect([2, 6, 10].map((day) => lifecycle.asOf(day))).toEqual([
      [server('eu-3')],
      [server('eu-5')],
      [server('eu-3')],
    ]);
    lifecycle.write([{ kind: 'undo', memoryId: plan.results[0]!.memoryId }]);
    expect(lifecycle.current()).toEqual([server('eu-5')]);
  });

  it('does not toggle when a return is told again, and returns again after another value', () => {
    const lifecycle = new SimulatedLifecycle();
    const server = (name: string) => `The staging server is ${name}.`;
    const back = 'The previous staging server is used again.';
    lifecycle.write([say(server('eu-3'), 1)]);
    lifecycle.write([say(server('eu-5'), 5)]);
    const returned = lifecycle.write([say(back, 9)]).results[0]!;
    for (const day of [11, 12]) {
      const plan = lifecycle.write([say(back, day)]);
      expect(plan.results).toEqual([{ outcome: 'unchanged', memoryId: returned.memoryId }]);
    }
    expect(lifecycle.current()).toEqual([server('eu-3')]);
    lifecycle.write([say(server('eu-5'), 14)]);
    lifecycle.write([say(back, 15)]);
    expect(lifecycle.current()).toEqual([server('eu-3')]);
  });

  it('returns to the value before one that was told again in words', () => {
    const lifecycle = new SimulatedLifecycle();
    const told = ['eu-3', 'eu-5', 'eu-3'].map((name) => `The staging server is ${name}.`);
    told.forEach((content, index) => lifecycle.write([say(content, 1 + index)]));
    lifecycle.write([say('The previous staging server is used again.', 9)]);
    expect(lifecycle.current()).toEqual([told[1]]);
  });

  it('returns to nothing when no former value is known', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([say('The staging server is eu-3.', 1)]);
    lifecycle.write([say('The previous staging server is used again.', 9)]);
    expect(lifecycle.current()).toEqual(['The staging server is eu-3.', 'The previous staging server is used again.']);
  });

  it('merges a manual repeat of an ending memory into its row', () => {
    const lifecycle = new SimulatedLifecycle();
    const byHand = { origin: 'manual' as const, sources: [], validFrom: 5 * DAY };
    lifecycle.write([observe('Ana rents a flat', { ...byHand, validTo: 50 * DAY })]);
    const again = lifecycle.write([observe('Ana rents a flat', { ...byHand, validFrom: 20 * DAY, pinned: true })]);
    expect(again.results).toEqual([{ outcome: 'updated', memoryId: 'id-1' }]);
    expect(lifecycle.rows.size).toBe(1);
  });

  const cities = ['Berlin', 'Munich', 'Hamburg'] as const;
  const statements = fc
    .uniqueArray(fc.record({ day: fc.integer({ min: 1, max: 30 }), city: fc.constantFrom(...cities) }), {
      selector: ({ day }) => day,
      minLength: 1,
      maxLength: 9,
    })
    .chain((said) => fc.tuple(fc.constant(said), fc.shuffledSubarray(said, { minLength: said.length })));

  it('gives the same results for every order of arrival', () => {
    fc.assert(
      fc.property(statements, ([said, arriving]) => {
        const lifecycle = new SimulatedLifecycle();
        arriving.forEach(({ city, day }, index) => lifecycle.write([livesIn(city, day)], (40 + index) * DAY));
        for (let day = 0; day <= 31; day += 1) {
          const latest = said.filter((one) => one.day <= day).toSorted((a, b) => b.day - a.day)[0];
          expect(lifecycle.asOf(day)).toEqual(latest ? [at(latest.city)] : []);
        }
      }),
      { numRuns: 500 },
    );
  });

  /** Reports that name a day before the one on which they were made, among statements about the present. */
  const reports = fc
    .uniqueArray(
      fc.record({
        day: fc.integer({ min: 1, max: 30 }),
        ago: fc.integer({ min: 0, max: 20 }),
        city: fc.constantFrom(...cities),
      }),
      { selector: ({ day }) => day, minLength: 1, maxLength: 6 },
    )
    .chain((said) => fc.tuple(fc.constant(said), fc.shuffledSubarray(said, { minLength: said.length })));

  it('ends with the newest report for every order of arrival, whatever days the reports name', () => {
    fc.assert(
      fc.property(reports, ([said, arriving]) => {
        const lifecycle = new SimulatedLifecycle();
        const contentOf = ({ city, day, ago }: (typeof said)[number]) =>
          ago === 0 ? at(city) : `The user moved to ${city} on ${day} May 2026.`;
        arriving.forEach((report, index) => {
          const validFrom = (report.day - report.ago) * DAY;
          lifecycle.write([observe(contentOf(report), { validFrom, saidAt: report.day * DAY })], (40 + index) * DAY);
        });
        const newest = said.toSorted((a, b) => b.day - a.day)[0]!;
        const current = lifecycle.asOf(31);
        expect(current).toContain(contentOf(newest));
        for (const content of current) expect(content).toContain(newest.city);
      }),
      { numRuns: 500 },
    );
  });

  it('returns later what was known at each arrival', () => {
    fc.assert(
      fc.property(statements, ([, arriving]) => {
        const lifecycle = new SimulatedLifecycle();
        const known = arriving.map(({ city, day }, index) => {
          lifecycle.write([livesIn(city, day)], (40 + index) * DAY);
          return [5, 15, 25, 31].map((asked) => lifecycle.asOf(asked).at(-1));
        });
        known.forEach((answers, index) => {
          const now = [5, 15, 25, 31].map((asked) => lifecycle.asOf(asked, (40 + index) * DAY + 1));
          // A beginning that later evidence moved back counts as known since the row exists.
          now.forEach((found, place) => {
            const answer = answers[place];
            if (answer !== undefined) expect(found).toContain(answer);
          });
        });
      }),
    );
  });
});

describe('undo', () => {
  const undo = (memoryId: string): MemoryChange => ({ kind: 'undo', memoryId });
  const edit: MemoryChange = { kind: 'edit', memoryId: 'id-1', patch: { pinned: true, importance: 5 } };

  it.each<[string, MemoryChange[]]>([
    ['an edit', [edit]],
    ['a deletion', [{ kind: 'delete', memoryId: 'id-1', by: 'user' }]],
    ['an expiry', [{ kind: 'delete', memoryId: 'id-1', by: 'ttl' }]],
    ['a change of meaning', [{ kind: 'supersede', memoryId: 'id-1', memory: newMemory('The user lives in Rome.') }]],
    ['a better confidence', [observe('The user lives in Berlin.', { confidence: 0.95 })]],
    ['a move', [livesIn('Rome', 12)]],
  ])('reverts %s, and a second undo reverts the first', (_what, changes) => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Berlin', 10)]);
    const before = stateOf(lifecycle);
    lifecycle.write(changes);
    const after = stateOf(lifecycle);
    expect(after).not.toEqual(before);
    const undone = lifecycle.write([undo('id-1')], 21 * DAY);
    expect(undone.results).toEqual([{ outcome: 'undone', memoryId: 'id-1' }]);
    expect(stateOf(lifecycle)).toEqual(before);
    expect(undone.history.every(({ event }) => event === 'UNDO')).toBe(true);
    expect(undone.changes.length).toBeGreaterThan(0);
    lifecycle.write([undo('id-1')], 22 * DAY);
    expect(stateOf(lifecycle)).toEqual(after);
  });

  it('reports once which row replaces which', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Berlin', 10)]);
    lifecycle.write([{ kind: 'supersede', memoryId: 'id-1', memory: newMemory(at('Rome')) }]);
    const told = () =>
      lifecycle.write([undo('id-1')]).changes.map(({ event, memoryId, meta }) => [event, memoryId, meta['replaces']]);
    expect(told()).toEqual([['updated', 'id-1', 'id-2']]);
    expect(told()).toEqual([['updated', 'id-2', 'id-1']]);
    expect(told()).toEqual([['updated', 'id-1', 'id-2']]);
  });

  it('distinguishes deletions by an undo from deletions by a user', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Berlin', 10)]);
    lifecycle.write([livesIn('Rome', 12)]);
    lifecycle.write([undo('id-1')]);
    expect(lifecycle.rows.get('id-2')).toMatchObject({ state: 'soft_deleted', deletedBy: 'undo' });
    lifecycle.write([{ kind: 'delete', memoryId: 'id-2', by: 'user' }]);
    expect(lifecycle.rows.get('id-2')).toMatchObject({ deletedBy: 'user' });
    lifecycle.write([undo('id-2')]);
    expect(lifecycle.rows.get('id-2')).toMatchObject({ deletedBy: 'undo' });
  });

  it('reverts a creation by a deletion, so that the same content does not restore it', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([say('The user has a dog.', 10)]);
    expect(lifecycle.write([undo('id-1')]).results).toEqual([{ outcome: 'undone', memoryId: 'id-1' }]);
    expect(lifecycle.current()).toEqual([]);
    expect(lifecycle.write([say('The user has a dog.', 11)]).results[0]!.outcome).toBe('suppressed');
    lifecycle.write([undo('id-1')]);
    expect(lifecycle.current()).toEqual(['The user has a dog.']);
  });

  it('reverts a restoration, and the merge of a restored row', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([say('Ana likes tea', 10)]);
    lifecycle.write([{ kind: 'delete', memoryId: 'id-1', by: 'user' }], 20 * DAY);
    lifecycle.write([say('Ana likes tea', 25)], 30 * DAY);
    lifecycle.write([{ kind: 'restore', memoryId: 'id-1' }], 31 * DAY);
    expect(lifecycle.rows.get('id-1')).toMatchObject({ state: 'active', supersededBy: 'id-2' });
    lifecycle.write([undo('id-1')], 32 * DAY);
    expect(lifecycle.rows.get('id-1')).toMatchObject({ state: 'soft_deleted', supersededBy: null, validTo: null });
    expect(lifecycle.current()).toEqual(['Ana likes tea']);
  });

  it('closes the gap of a removed row in a sequence', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Berlin', 1)]);
    lifecycle.write([livesIn('Munich', 5)]);
    lifecycle.write([livesIn('Rome', 9)]);
    lifecycle.write([undo('id-1')]);
    expect(lifecycle.rows.get('id-1')).toMatchObject({ supersededBy: 'id-3', validTo: 9 * DAY });
    expect(lifecycle.rows.get('id-2')!.state).toBe('soft_deleted');
    expect(lifecycle.asOf(6)).toEqual([at('Berlin')]);
    expect(lifecycle.current()).toEqual([at('Rome')]);
  });

  it('removes a statement that was inserted in between', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Berlin', 1)]);
    lifecycle.write([livesIn('Berlin', 9)]);
    lifecycle.write([livesIn('Munich', 5)]);
    expect([2, 6, 10].map((day) => lifecycle.asOf(day))).toEqual([[at('Berlin')], [at('Munich')], [at('Berlin')]]);
    const between = [...lifecycle.rows.values()].find(({ content }) => content === at('Munich'))!;
    lifecycle.write([undo(between.id)]);
    expect([2, 6, 10].map((day) => lifecycle.asOf(day))).toEqual([[at('Berlin')], [at('Berlin')], [at('Berlin')]]);
    expect([...lifecycle.rows.values()].filter(isCurrent)).toHaveLength(1);
  });

  it('reports when there is nothing to undo', () => {
    const lifecycle = new SimulatedLifecycle();
    expect(lifecycle.write([undo('id-9')]).results[0]!.outcome).toBe('not_found');
  });

  it('rejects a change of a memory with a newer revision', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Berlin', 10)]);
    lifecycle.write([edit]);
    const changes: MemoryChange[] = [
      { ...edit, patch: { pinned: false }, expectedRevision: 1 },
      { kind: 'delete', memoryId: 'id-1', by: 'user', expectedRevision: 1 },
      { kind: 'undo', memoryId: 'id-1', expectedRevision: 1 },
    ];
    expect(lifecycle.write(changes).results.map(({ outcome }) => outcome)).toEqual(Array(3).fill('revision_conflict'));
    expect(lifecycle.write([{ ...edit, patch: { pinned: false }, expectedRevision: 2 }]).results[0]!.outcome).toBe(
      'updated',
    );
  });
});

describe('a quarantined memory', () => {
  const heldBack = (content: string, day = 10) => say(content, day, { quarantineReason: 'quote_not_found' });

  it('is served after its release, in its order in time', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([livesIn('Berlin', 1)]);
    lifecycle.write([heldBack(at('Munich'), 5)]);
    const plan = lifecycle.write([{ kind: 'release', memoryId: 'id-2' }]);
    expect(plan.results).toEqual([{ outcome: 'released', memoryId: 'id-2' }]);
    expect([...plan.terms.keys()]).toEqual(['id-2']);
    expect(plan.toEmbed.map(({ id }) => id)).toEqual(['id-2']);
    expect(lifecycle.current()).toEqual([at('Munich')]);
    expect(lifecycle.asOf(2)).toEqual([at('Berlin')]);
    lifecycle.write([{ kind: 'undo', memoryId: 'id-2' }]);
    expect(lifecycle.rows.get('id-2')).toMatchObject({ state: 'quarantined', quarantineReason: 'quote_not_found' });
    expect(lifecycle.current()).toEqual([at('Berlin')]);
  });

  it('is merged into an existing row with the same content', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([heldBack('Ana likes tea')]);
    lifecycle.write([say('Ana likes tea', 11)]);
    const plan = lifecycle.write([{ kind: 'release', memoryId: 'id-1' }]);
    expect(plan.results).toEqual([{ outcome: 'merged', memoryId: 'id-2' }]);
    expect(plan.sourceCopies).toEqual([{ fromId: 'id-1', toId: 'id-2' }]);
    expect(lifecycle.current()).toEqual(['Ana likes tea']);
  });

  it('is not stored again after its rejection', () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([heldBack('Ana owns a yacht')]);
    const plan = lifecycle.write([{ kind: 'reject', memoryId: 'id-1' }]);
    expect(plan.results).toEqual([{ outcome: 'deleted', memoryId: 'id-1' }]);
    expect(plan.changes).toEqual([]);
    expect(lifecycle.write([heldBack('Ana owns a yacht', 12)]).results[0]!.outcome).toBe('suppressed');
    expect(lifecycle.write([{ kind: 'release', memoryId: 'id-1' }]).results[0]!.outcome).toBe('not_quarantined');
  });
});

/** The observable state of a lifecycle: the served rows with their validity. */
function stateOf(lifecycle: SimulatedLifecycle): object[] {
  return [...lifecycle.rows.values()]
    .filter(({ state }) => state === 'active')
    .map(({ content, validFrom, validTo, supersededBy, pinned, importance, confidence }) => ({
      content,
      validFrom,
      validTo,
      supersededBy,
      pinned,
      importance,
      confidence,
    }));
}
