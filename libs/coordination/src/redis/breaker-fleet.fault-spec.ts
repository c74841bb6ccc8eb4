import { startPrivateRedis, type PrivateServer } from '@annals/testing';
import { startFleetProcess, type FleetProcess } from '../contract/fleet.fixture.js';
import { withPolicy } from '../contract/coordination.fixture.js';

const PROCESSES = 8;
const ATTEMPTS_PER_PROCESS = 200;
const T0 = Date.UTC(2026, 10, 22);
const COOLDOWN_MS = 30_000;
const LEASE_MS = 90_000;
const CIRCUIT = 'claude:claude-haiku-5-5';

describe.each([1, 3])('a breaker with %s probes, shared by eight processes', (probesRequired) => {
  let server: PrivateServer;
  let fleet: FleetProcess[] = [];

  beforeAll(async () => {
    server = await startPrivateRedis();
    const options = { redis: server.url, keyPrefix: 'fleet', breakerPolicy: withPolicy({ probesRequired }) };
    fleet = await Promise.all(Array.from({ length: PROCESSES }, () => startFleetProcess(options)));
  });
  afterAll(async () => {
    await Promise.all(fleet.map((member) => member.kill9()));
    await server.stop();
  });

  interface FleetReservation {
    readonly holder: FleetProcess;
    readonly reservation: string;
  }

  /** All processes ask at once, again and again; answers who was let through and the changes anybody was told. */
  async function hammer(now: number): Promise<{ reservations: FleetReservation[]; changes: string[] }> {
    const answers = await Promise.all(
      fleet.map(async (holder) => {
        const admissions = await holder.acquire(
          CIRCUIT,
          Array.from({ length: ATTEMPTS_PER_PROCESS }, () => now),
        );
        return admissions.map((admission) => ({ holder, admission }));
      }),
    );
    const all = answers.flat();
    return {
      reservations: all.flatMap(({ holder, admission }) =>
        admission.admitted ? [{ holder, reservation: admission.reservation }] : [],
      ),
      changes: all.flatMap(({ admission }) => admission.transition?.circuitState ?? []),
    };
  }

  it('lets exactly that many through after each cooldown, until they succeed', async () => {
    const [first] = fleet;
    if (!first) throw new Error('There is no process.');
    const [admission] = await first.acquire(CIRCUIT, [T0]);
    if (!admission?.admitted) throw new Error('The closed circuit refused.');
    await first.report(CIRCUIT, admission.reservation, 'failure', T0);

    // While it cools down nobody gets through.
    expect(await hammer(T0 + COOLDOWN_MS - 1)).toEqual({ reservations: [], changes: [] });

    // Then exactly the probes do, and exactly one process is told of the change.
    let now = T0 + COOLDOWN_MS;
    const probes = await hammer(now);
    expect(probes.changes).toEqual(['half_open']);
    expect(probes.reservations).toHaveLength(probesRequired);

    // One fails, the others succeed: open for another cooldown.
    const [failing, ...others] = probes.reservations as [FleetReservation, ...FleetReservation[]];
    for (const { holder, reservation } of others) await holder.report(CIRCUIT, reservation, 'success', now);
    expect(await failing.holder.report(CIRCUIT, failing.reservation, 'failure', now)).toMatchObject({
      circuitState: 'open',
    });
    expect(await hammer(now + COOLDOWN_MS - 1)).toEqual({ reservations: [], changes: [] });

    // A holder of a probe is killed: nobody gets through until its lease ends, and then it has failed.
    now += COOLDOWN_MS;
    const held = await hammer(now);
    expect(held.reservations).toHaveLength(probesRequired);
    const [lost, ...kept] = held.reservations as [FleetReservation, ...FleetReservation[]];
    await lost.holder.kill9();
    fleet = fleet.filter((member) => member !== lost.holder);
    for (const { holder, reservation } of kept) {
      if (holder !== lost.holder) await holder.report(CIRCUIT, reservation, 'success', now);
    }
    expect(await hammer(now + LEASE_MS - 1)).toEqual({ reservations: [], changes: [] });
    now += LEASE_MS;
    expect(await hammer(now)).toEqual({ reservations: [], changes: ['open'] });

    // All probes succeed: closed for everybody.
    now += COOLDOWN_MS;
    const last = await hammer(now);
    expect(last.reservations).toHaveLength(probesRequired);
    const transitions = [];
    for (const { holder, reservation } of last.reservations)
      transitions.push(await holder.report(CIRCUIT, reservation, 'success', now));
    expect(transitions.filter((change) => change?.circuitState === 'closed')).toHaveLength(1);
    expect((await hammer(now)).reservations).toHaveLength(fleet.length * ATTEMPTS_PER_PROCESS);
  });
});
