import type { EnergyKind, EnergyLimits } from '@annals/domain';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { drawEnergy, type EnergyDraw, giveEnergyBack } from './draw-energy.js';
import { pollEnergy, readEnergy, readLowestEnergy } from './read-energy.js';

const HOUR = 3_600_000;
const LIMITS: EnergyLimits = { capacity: 1_000, refillPerHour: 100 };

describe('energy', () => {
  let fixture: StorageFixture;
  let tenantId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const now = () => fixture.clock.now();
  const draw = (units: number, kind: EnergyKind = 'consolidation', limits = LIMITS): Promise<EnergyDraw> =>
    fixture.inTenant(tenantId, (tx) => drawEnergy(tx, { kind, units, now: now(), limits }));
  const read = () => fixture.inTenant(tenantId, (tx) => readEnergy(tx, { now: now(), limits: LIMITS }));

  it('begins full, counts what is drawn by kind, and refills by the hour up to the capacity', async () => {
    expect(await read()).toEqual({ levelMilli: 1_000_000, consumedMilli: 0, today: [], waiting: [] });
    expect(await draw(20)).toMatchObject({ drawn: true, levelMilli: 980_000 });
    expect(await draw(8, 'insights')).toMatchObject({ drawn: true, levelMilli: 972_000 });
    expect(await draw(8, 'insights')).toMatchObject({ drawn: true, levelMilli: 964_000 });
    expect(await read()).toMatchObject({
      levelMilli: 964_000,
      consumedMilli: 36_000,
      today: [
        { kind: 'consolidation', consumedMilli: 20_000, calls: 1 },
        { kind: 'insights', consumedMilli: 16_000, calls: 2 },
      ],
    });
    fixture.clock.advance(HOUR / 10);
    expect((await read()).levelMilli).toBe(974_000);
    fixture.clock.advance(10 * HOUR);
    expect((await read()).levelMilli).toBe(1_000_000);
  });

  it('refuses what would leave less than a fifth, and says when the same draw succeeds', async () => {
    for (let left = 980; left >= 200; left -= 20) expect(await draw(20)).toMatchObject({ levelMilli: left * 1_000 });
    const refused = await draw(20);
    expect(refused).toEqual({ drawn: false, why: 'low', until: now() + 0.2 * HOUR, waiting: 0 });
    expect(await read()).toMatchObject({ levelMilli: 200_000, consumedMilli: 800_000 });
    fixture.clock.advance(0.2 * HOUR - 1);
    expect(await draw(20)).toMatchObject({ drawn: false });
    fixture.clock.advance(1);
    expect(await draw(20)).toMatchObject({ drawn: true, levelMilli: 200_000 });
  });

  it('says how much waits already: of app memories, which may wait for their share, only to apps', async () => {
    for (let left = 1_000; left > 200; left -= 20) await draw(20);
    await fixture.queryAsSuperuser(
      `INSERT INTO work (tenant_id, id, kind, subject_id, generation, available_at, rank_at, created_at, deferred_reason)
       SELECT $1, gen_random_uuid(), k.kind, gen_random_uuid(), 1, $2, $2, $2, k.reason
         FROM (VALUES ('summary', 'energy'), ('app_memory', 'energy'), ('insights', 'not_due')) k (kind, reason)`,
      [tenantId, new Date(now())],
    );
    expect(await draw(20)).toMatchObject({ drawn: false, why: 'low', waiting: 1 });
    expect(await draw(12, 'app_memory')).toMatchObject({ drawn: false, why: 'low', waiting: 2 });
  });

  it('never falls below a fifth when many draw at once', async () => {
    const draws = await Promise.all(Array.from({ length: 60 }, () => draw(20)));
    expect(draws.filter(({ drawn }) => drawn)).toHaveLength(40);
    expect(await read()).toMatchObject({ levelMilli: 200_000, consumedMilli: 800_000 });
    expect((await read()).today).toEqual([{ kind: 'consolidation', consumedMilli: 800_000, calls: 40 }]);
  });

  it('gives back exactly what was drawn', async () => {
    await draw(20);
    const drawn = await draw(12, 'app_memory');
    if (!drawn.drawn) throw new Error('Nothing was drawn.');
    await fixture.inTenant(tenantId, (tx) =>
      giveEnergyBack(tx, { kind: 'app_memory', units: 12, now: now(), limits: LIMITS, day: drawn.day }),
    );
    expect(await read()).toMatchObject({ levelMilli: 980_000, consumedMilli: 20_000 });
    expect((await read()).today).toContainEqual({ kind: 'app_memory', consumedMilli: 0, calls: 0 });
  });

  it('lets apps use a twentieth of a day’s refill on a UTC day, however full the meter is', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, () => draw(12, 'app_memory')));
    expect(many.filter(({ drawn }) => drawn)).toHaveLength(10);
    const midnight = (Math.floor(now() / (24 * HOUR)) + 1) * 24 * HOUR;
    expect(await draw(25, 'app_compaction')).toEqual({ drawn: false, why: 'share', until: midnight });
    expect(await draw(20)).toMatchObject({ drawn: true });
    fixture.clock.advance(midnight - now());
    expect(await draw(25, 'app_compaction')).toMatchObject({ drawn: true });
  });

  it('belongs to one tenant, whose lowest level all processes see', async () => {
    await fixture.queryAsSuperuser('TRUNCATE energy_meters');
    expect(await readLowestEnergy(fixture.database, { now: now(), limits: LIMITS })).toBe(1);
    for (let units = 0; units < 300; units += 20) await draw(20);
    const other = await fixture.addTenant();
    const drawOther = fixture.inTenant(other, (tx) =>
      drawEnergy(tx, { kind: 'insights', units: 8, now: now(), limits: LIMITS }),
    );
    expect(await drawOther).toMatchObject({ levelMilli: 992_000 });
    expect(await readLowestEnergy(fixture.database, { now: now(), limits: LIMITS })).toBe(0.7);
  });

  it('never exceeds a capacity that was lowered, and is not pushed back by a slower clock', async () => {
    await draw(20);
    expect(await draw(20, 'consolidation', { capacity: 100, refillPerHour: 25 })).toMatchObject({ levelMilli: 80_000 });
    const later = fixture.inTenant(tenantId, (tx) =>
      drawEnergy(tx, { kind: 'insights', units: 8, now: now() - HOUR, limits: { capacity: 100, refillPerHour: 25 } }),
    );
    expect(await later).toMatchObject({ levelMilli: 72_000 });
    expect(await draw(8, 'insights', { capacity: 100, refillPerHour: 25 })).toMatchObject({ levelMilli: 64_000 });
  });

  it('tells each key what was drawn since it last asked', async () => {
    const poll = async (keyId: string) =>
      (await fixture.inTenant(tenantId, (tx) => pollEnergy(tx, { keyId, now: now(), limits: LIMITS }))).poll;
    const [mine, theirs] = [fixture.ids.next(), fixture.ids.next()];
    await draw(20);
    const first = now();
    expect(await poll(mine)).toEqual({ consumedMilli: 20_000, since: null });
    fixture.clock.advance(1_000);
    await draw(8, 'insights');
    expect(await poll(mine)).toEqual({ consumedMilli: 8_000, since: first });
    expect(await poll(mine)).toEqual({ consumedMilli: 0, since: now() });
    expect(await poll(theirs)).toEqual({ consumedMilli: 28_000, since: null });
  });
});
