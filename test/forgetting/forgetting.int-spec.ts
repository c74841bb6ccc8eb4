import { createTestDatabase, dumpRedis, ShiftedClock, type TestDatabase } from '@annals/testing';
import { DrivenSystem } from '../minds/driven-system.fixture.js';
import { listDecayed, listDrifting, listPurged, listShortLived, listSuperseded } from './cases/change.fixture.js';
import { listForgottenIdentifiers } from './cases/forget-identifiers.fixture.js';
import { listForgottenStatements } from './cases/forget-statements.fixture.js';
import { listForgottenNames, listForgottenPeople } from './cases/forget-subjects.fixture.js';
import { listForgottenTurns } from './cases/forget-turns.fixture.js';
import { Words } from './forgetting-case.fixture.js';
import { CaseRunner } from './run-cases.fixture.js';

/** Shorter periods, so that a few days are enough for what expires and is purged. */
const SETTINGS = {
  ANNALS_TTL_DAYS: '4',
  ANNALS_PURGE_AFTER_DAYS: '2',
  ANNALS_INSIGHTS: 'on',
};

const words = new Words(1);
/** In this order, since time passes for all of them. */
const GROUPS = [
  { name: 'forgetting a statement', cases: listForgottenStatements(words) },
  { name: 'forgetting a person', cases: listForgottenPeople(words) },
  { name: 'names in their normal form', cases: listForgottenNames(words) },
  { name: 'identifiers in their normal form', cases: listForgottenIdentifiers(words) },
  { name: 'forgetting a turn', cases: listForgottenTurns(words) },
  { name: 'superseded values', cases: listSuperseded(words) },
  { name: 'background work after forgetting', cases: listDrifting(words), days: 3 },
  { name: 'expiry', cases: listDecayed(words), days: 9 },
  { name: 'a short life', cases: listShortLived(words), days: 9 },
  { name: 'purge', cases: listPurged(words), days: 9 },
] as const;

describe('what must be gone is gone, and what must stay stays', () => {
  let database: TestDatabase;
  let system: DrivenSystem;
  const found = new Map<string, ReadonlyMap<string, readonly string[]>>();

  beforeAll(async () => {
    database = await createTestDatabase();
    system = await DrivenSystem.start(database, { clock: new ShiftedClock(), env: SETTINGS });
    await system.client.send('PUT', '/v1/apps/planner', { body: { name: 'Planner' } });
    const readQueue = () =>
      database.redis ? dumpRedis(database.redis.url, database.redis.prefix) : Promise.resolve('');
    const runner = new CaseRunner(system, readQueue);
    for (const { name, cases, ...options } of GROUPS) found.set(name, await runner.run(name, cases, options));
  });
  afterAll(async () => {
    await system?.stop();
    await database?.drop();
  });

  it('has at least 300 cases, of different names', () => {
    const names = GROUPS.flatMap(({ cases }) => cases.map(({ name }) => name));
    expect(names.length).toBeGreaterThanOrEqual(300);
    expect(new Set(names).size).toBe(names.length);
  });

  describe.each(GROUPS)('$name', ({ name: group, cases }) => {
    it.each(cases)('$name', ({ name }) => {
      expect(found.get(group)!.get(name)!.join('\n')).toBe('');
    });
  });
});
