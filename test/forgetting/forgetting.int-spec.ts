import type { Environment } from '@annals/config';
import { createTestDatabase, dumpRedis, ShiftedClock, takeTurns } from '@annals/testing';
import { DrivenSystem } from '../minds/driven-system.fixture.js';
import { listDecayed, listDrifting, listPurged, listShortLived, listSuperseded } from './cases/change.fixture.js';
import { listForgottenIdentifiers } from './cases/forget-identifiers.fixture.js';
import { listForgottenStatements } from './cases/forget-statements.fixture.js';
import { listForgottenNames, listForgottenPeople } from './cases/forget-subjects.fixture.js';
import { listForgottenTurns } from './cases/forget-turns.fixture.js';
import { listLookAlikes } from './cases/look-alikes.fixture.js';
import { type ForgettingCase, Words } from './forgetting-case.fixture.js';
import { CaseRunner } from './run-cases.fixture.js';

const words = new Words(1);

interface Group {
  readonly name: string;
  readonly cases: readonly ForgettingCase[];
  /** How much time passes. */
  readonly days?: number;
}

interface Part {
  readonly name: string;
  readonly env: Environment;
  /** In this order, since time passes for all of them. */
  readonly groups: readonly Group[];
}

const PARTS: readonly Part[] = [
  {
    name: 'without minds',
    // Shorter periods, so that a few days are enough for what expires and is purged.
    env: { ANNALS_MINDS: 'off', ANNALS_TTL_DAYS: '4', ANNALS_PURGE_AFTER_DAYS: '2' },
    groups: [
      { name: 'forgetting a statement', cases: listForgottenStatements(words) },
      { name: 'forgetting a person', cases: listForgottenPeople(words) },
      { name: 'names in their normal form', cases: listForgottenNames(words) },
      { name: 'identifiers in their normal form', cases: listForgottenIdentifiers(words) },
      { name: 'what is only like it', cases: listLookAlikes(words) },
      { name: 'forgetting a turn', cases: listForgottenTurns(words) },
      { name: 'superseded values', cases: listSuperseded(words) },
      {
        name: 'expiry, a short life, and purge',
        cases: [...listDecayed(words), ...listShortLived(words), ...listPurged(words)],
        days: 9,
      },
    ],
  },
  {
    name: 'with all minds',
    env: {},
    groups: [{ name: 'background work after forgetting', cases: listDrifting(words), days: 3 }],
  },
];
const GROUPS = PARTS.flatMap(({ groups }) => groups);

const chosenOf = ({ cases }: Group) => takeTurns(cases, 0);

describe('what must be gone is gone, and what must stay stays', () => {
  const found = new Map<string, ReadonlyMap<string, readonly string[]>>();

  beforeAll(async () => {
    for (const part of PARTS) await run(part);
  });

  async function run({ env, groups }: Part): Promise<void> {
    const database = await createTestDatabase();
    let system: DrivenSystem | undefined;
    try {
      system = await DrivenSystem.start(database, { clock: new ShiftedClock(), env });
      await system.client.send('PUT', '/v1/apps/planner', { body: { name: 'Planner' } });
      const { redis } = database;
      const runner = new CaseRunner(system, async () => (redis ? dumpRedis(redis.url, redis.prefix) : ''));
      for (const group of groups) found.set(group.name, await runner.run(group.name, chosenOf(group), group));
    } finally {
      await system?.stop();
      await database.drop();
    }
  }

  it('has at least 300 cases, of different names', () => {
    const names = GROUPS.flatMap(({ cases }) => cases.map(({ name }) => name));
    expect(names.length).toBeGreaterThanOrEqual(300);
    expect(new Set(names).size).toBe(names.length);
  });

  describe.each(GROUPS)('$name', (group) => {
    it.each(chosenOf(group))('$name', ({ name }) => {
      expect(found.get(group.name)!.get(name)!.join('\n')).toBe('');
    });
  });
});
