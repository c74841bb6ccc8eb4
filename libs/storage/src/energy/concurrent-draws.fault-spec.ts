import { StorageFixture } from '../fixtures/storage.fixture.js';
import { drawEnergy, type EnergyDraw, giveEnergyBack } from './draw-energy.js';
import { pollEnergy, readEnergy } from './read-energy.js';

const LIMITS = { capacity: 1_000, refillPerHour: 100 };

// The embedded database serializes transactions, so the races cannot happen there.
describe('draws of several processes', () => {
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
  const request = (units: number) => ({ kind: 'consolidation', units, now: now(), limits: LIMITS }) as const;
  const read = () => fixture.inTenant(tenantId, (tx) => readEnergy(tx, { now: now(), limits: LIMITS }));
  const level = async () => (await read()).levelMilli;

  it('never take the meter below its reserve, also when it is made, and add up to what is recorded', async () => {
    const processes = await Promise.all(Array.from({ length: 3 }, () => fixture.openAnother({ poolSize: 8 })));
    const draws = await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        processes[index % processes.length]!.inTenant(tenantId, (tx) => drawEnergy(tx, request(20))),
      ),
    );
    expect(draws.filter(({ drawn }) => drawn)).toHaveLength(40);
    expect(await read()).toMatchObject({
      levelMilli: 200_000,
      consumedMilli: 800_000,
      today: [{ kind: 'consolidation', consumedMilli: 800_000, calls: 40 }],
    });
  });

  it('all succeed when they make the meter together and there is enough', async () => {
    for (let round = 0; round < 5; round += 1) {
      tenantId = await fixture.addTenant();
      const draws = await Promise.all(
        Array.from({ length: 8 }, () => fixture.inTenant(tenantId, (tx) => drawEnergy(tx, request(20)))),
      );
      expect(draws.map(({ drawn }) => drawn)).toEqual(Array.from({ length: 8 }, () => true));
    }
  });

  it('decide on what the one before has left, for which they waited', async () => {
    await fixture.inTenant(tenantId, (tx) => drawEnergy(tx, request(780)));
    let second: Promise<EnergyDraw> | undefined;
    await fixture.inTenant(tenantId, async (tx) => {
      expect(await drawEnergy(tx, request(20))).toMatchObject({ drawn: true });
      second = fixture.inTenant(tenantId, (other) => drawEnergy(other, request(20)));
      await fixture.waitForLockWaits(1, 'the second draw waits');
    });
    expect(await second).toMatchObject({ drawn: false, why: 'low' });
    expect(await level()).toBe(200_000);
  });

  it('are told once to polls of one key at the same moment, also to its first ones', async () => {
    const keyId = fixture.ids.next();
    const poll = async () =>
      (await fixture.inTenant(tenantId, (tx) => pollEnergy(tx, { keyId, now: now(), limits: LIMITS }))).poll;
    for (let round = 0; round < 2; round += 1) {
      await fixture.inTenant(tenantId, (tx) => drawEnergy(tx, request(20)));
      let second: ReturnType<typeof poll> | undefined;
      const first = await fixture.inTenant(tenantId, async (tx) => {
        const { poll: told } = await pollEnergy(tx, { keyId, now: now(), limits: LIMITS });
        second = poll();
        await fixture.waitForLockWaits(1, 'the second poll waits');
        await fixture.inTenant(tenantId, (other) => drawEnergy(other, request(10)));
        return told;
      });
      expect([first.consumedMilli, (await second!).consumedMilli]).toEqual([20_000, 10_000]);
    }
  });

  it('draw nothing when their connection dies before the commit', async () => {
    await fixture.inTenant(tenantId, (tx) => drawEnergy(tx, request(20)));
    const killed = fixture.inTenant(tenantId, async (tx) => {
      const [backend] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await drawEnergy(tx, request(20));
      await fixture.queryAsSuperuser('SELECT pg_terminate_backend($1)', [backend!.pid]);
    });
    await expect(killed).rejects.toThrow();
    expect(await read()).toMatchObject({ levelMilli: 980_000, consumedMilli: 20_000 });
  });

  it('and what is given back at the same moment lose nothing of each other', async () => {
    const drawn = await fixture.inTenant(tenantId, (tx) => drawEnergy(tx, request(300)));
    if (!drawn.drawn) throw new Error('Nothing was drawn.');
    const { day } = drawn;
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        fixture.inTenant(tenantId, async (tx) => {
          if (index % 2 === 0) await drawEnergy(tx, request(10));
          else await giveEnergyBack(tx, { ...request(10), day });
        }),
      ),
    );
    expect(await read()).toMatchObject({ levelMilli: 700_000, consumedMilli: 300_000 });
  });
});
