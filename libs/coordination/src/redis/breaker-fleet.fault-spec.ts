import { startPrivateRedis, type PrivateServer } from '@annals/testing';
import { startFleetProcess, type FleetProcess } from '../fixtures/fleet.fixture.js';
import { withPolicy } from '../fixtures/coordination.fixture.js';

const PROCESSES = 8;
const ATTEMPTS_PER_PROCESS = 200;
const T0 = Date.UTC(2026, 10, 22);
const COOLDOWN_MS = 30_000;
const LEASE_MS = 90_000;
const CIRCUIT = 'claude:claude-haiku-5-5';

describe.each([1, 3])('a circuit breaker with %s probes, shared by eight processes', (probesRequired) => {
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

  /**
   * All processes call concurrently and repeatedly; returns who was admitted and the transitions that were returned.
   */
  async function acquireEverywhere(now: number): Promise<{ reservations: FleetReservation[]; changes: string[] }> {
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

  it('admits exactly that many probes after each cooldown, until they succeed', async () => {
    const [first] = fleet;
    if (!first) throw new Error('There is no process.');
    const [admission] = await first.acquire(CIRCUIT, [T0]);
    if (!admission?.admitted) throw new Error('The closed circuit refused.');
    await first.report(CIRCUIT, admission.reservation, 'failure', T0);

    // During the cooldown all calls are refused.
    expect(await acquireEverywhere(T0 + COOLDOWN_MS - 1)).toEqual({ reservations: [], changes: [] });

    // Then exactly the probes are admitted, and exactly one process gets the transition.
    let now = T0 + COOLDOWN_MS;
    const probes = await acquireEverywhere(now);
    expect(probes.changes).toEqual(['half_open']);
    expect(probes.reservations).toHaveLength(probesRequired);

    // One fails, the others succeed: open for another cooldown.
    const [failing, ...others] = probes.reservations as [FleetReservation, ...FleetReservation[]];
    for (const { holder, reservation } of others) await holder.report(CIRCUIT, reservation, 'success', now);
    expect(await failing.holder.report(CIRCUIT, failing.reservation, 'failure', now)).toMatchObject({
      circuitState: 'open',
    });
    expect(await acquireEverywhere(now + COOLDOWN_MS - 1)).toEqual({ reservations: [], changes: [] });

    // The process of a probe is killed: all calls are refused until the lease ends, and then the probe has failed.
    now += COOLDOWN_MS;
    const held = await acquireEverywhere(now);
    expect(held.reservations).toHaveLength(probesRequired);
    const [lost, ...remaining] = held.reservations as [FleetReservation, ...FleetReservation[]];
    await lost.holder.kill9();
    fleet = fleet.filter((member) => member !== lost.holder);
    for (const { holder, reservation } of remaining) {
      if (holder !== lost.holder) await holder.report(CIRCUIT, reservation, 'success', now);
    }
    expect(await acquireEverywhere(now + LEASE_MS - 1)).toEqual({ reservations: [], changes: [] });
    now += LEASE_MS;
    expect(await acquireEverywhere(now)).toEqual({ reservations: [], changes: ['open'] });

    // All probes succeed: closed for all processes.
    now += COOLDOWN_MS;
    const last = await acquireEverywhere(now);
    expect(last.reservations).toHaveLength(probesRequired);
    const transitions = [];
    for (const { holder, reservation } of last.reservations)
      transitions.push(await holder.report(CIRCUIT, reservation, 'success', now));
    expect(transitions.filter((change) => change?.circuitState === 'closed')).toHaveLength(1);
    expect((await acquireEverywhere(now)).reservations).toHaveLength(fleet.length * ATTEMPTS_PER_PROCESS);
  });
});
