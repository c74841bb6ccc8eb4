import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { drawEnergy } from '../energy/draw-energy.js';
import { migrate } from '../migrate.js';
import { readSubjectUser } from '../minds/mind-subject.js';
import { deferWork } from '../work/end-work.js';
import { claimWork } from '../work/claim-work.js';
import { eraseUser } from '../privacy/erase-user.js';
import { AddMinds1764300000000 } from './1764300000000-AddMinds.js';
import { MIGRATIONS } from './index.js';
import { randomBytes } from 'node:crypto';

describe('a database of the release before the minds', () => {
  let fixture: StorageFixture;
  let tenant: string;
  const now = () => fixture.clock.now();

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, MIGRATIONS.indexOf(AddMinds1764300000000));
    tenant = await fixture.addTenant();
    const at = new Date(now());
    await fixture.queryAsSuperuser(
      `INSERT INTO users (tenant_id, user_id, created_at) VALUES ($1, 'ada', $2), ($1, 'bob', $2)`,
      [tenant, at],
    );
    await fixture.queryAsSuperuser(
      `INSERT INTO work (tenant_id, id, kind, subject_id, generation, available_at, rank_at, deferred_reason, created_at)
       SELECT $1, $2, 'vectors', u.subject_id, 3, $3, $3, 'budget_exceeded', $3 FROM users u WHERE u.user_id = 'ada'`,
      [tenant, fixture.ids.next(), at],
    );
    await fixture.queryAsSuperuser(
      `INSERT INTO usage (tenant_id, id, operation, provider, model, input_tokens, output_tokens, cost_micro_usd,
                          estimated, day, ts)
       VALUES ($1, $2, 'procedural', 'claude', 'haiku', 10, 5, 42, false, '2026-01-05', $3)`,
      [tenant, fixture.ids.next(), at],
    );
    await migrate(fixture.testDatabase.admin);
  });
  afterAll(() => fixture.close());

  const subjectOf = async (userId: string) => {
    const [user] = await fixture.queryAsSuperuser<{ subject_id: string }>(
      'SELECT subject_id FROM users WHERE user_id = $1',
      [userId],
    );
    return user!.subject_id;
  };

  it('keeps its work and its costs, and lets work wait for the new reasons', async () => {
    expect(await fixture.queryAsSuperuser('SELECT sum(cost_micro_usd)::integer AS cost FROM usage')).toEqual([
      { cost: 42 },
    ]);
    const subjectId = await subjectOf('ada');
    await fixture.inTenant(tenant, async (tx) => {
      const claim = await claimWork(tx, { kind: 'vectors', subjectId, generation: 3, now: now(), leaseMs: 1_000 });
      if (claim.outcome !== 'claimed') throw new Error(`The work is ${claim.outcome}.`);
      expect(await deferWork(tx, { ...claim, generation: 3, until: now() + 1, reason: 'energy' })).toBe(true);
    });
  });

  it('gives its tenants a full meter with their first draw, and minds the users who are there', async () => {
    const limits = { capacity: 1_000, refillPerHour: 100 };
    const draw = fixture.inTenant(tenant, (tx) => drawEnergy(tx, { kind: 'insights', units: 8, now: now(), limits }));
    expect(await draw).toMatchObject({ drawn: true, levelMilli: 992_000 });
    const subjectId = await subjectOf('bob');
    expect(await fixture.inTenant(tenant, (tx) => readSubjectUser(tx, subjectId))).toEqual({
      userId: 'bob',
      watermark: '0',
    });
  });

  it('erases its users with their work', async () => {
    const erasure = { userId: 'ada', actor: 'spec', key: Buffer.alloc(32, 3) };
    const erased = await fixture.inTenant(tenant, (tx) =>
      eraseUser(tx, erasure, { clock: fixture.clock, ids: fixture.ids, randomBytes }),
    );
    expect(erased!.receipt.counts).toMatchObject({ work: 1, mind_runs: 0, mind_watermarks: 0 });
  });
});
