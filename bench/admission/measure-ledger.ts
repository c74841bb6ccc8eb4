import type { Coordination } from '@annals/coordination';
import { openReservation, settleReservation } from '@annals/storage';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import type { Row } from '../frame/row.ts';
import { runInterleaved } from '../frame/run-interleaved.ts';
import { AMOUNT, COST, makeBenchCall, openBenchCalls, TIMEOUT_MS, USAGE } from './bench-calls.ts';
import { MODEL, PROVIDER } from './bench-coordination.ts';

const DAY = '2020-01-03';

/**
 * Time of the rows in PostgreSQL per call, compared with bare inserts; and of the whole admission (breaker, rate
 * limiter, row, budget, settlement) around a call that takes no time. Extraction settles in a transaction that it needs
 * anyway.
 */
export async function measureLedger(
  environment: BenchEnvironment,
  coordination: Coordination,
  { quick }: { readonly quick: boolean },
): Promise<Row[]> {
  await createBareTables(environment);
  const sides = {
    bare: createBareLedger(environment),
    open: async () => openRow(environment),
    both: async () => settleRow(environment, await openRow(environment)),
    admission: createAdmittedCall(environment, coordination),
  };
  const alone = await runInterleaved(sides, { callers: 1, rounds: quick ? 2 : 5, count: quick ? 100 : 400 });
  const crowded = await runInterleaved(sides, { callers: 16, rounds: quick ? 2 : 5, count: quick ? 400 : 2_000 });
  const names = {
    open: 'ledger: row opened, in its own transaction',
    both: 'ledger: row opened, then settled',
    admission: 'whole admission of a model call, settled in its own transaction',
  } as const;
  return (['open', 'both', 'admission'] as const).flatMap((side) => [
    {
      id: 'T12',
      what: `${names[side]}, 1 caller: p50`,
      value: alone[side].latency.p50,
      unit: 'ms',
      raw: { what: 'bare insert, then move', value: alone.bare.latency.p50 },
    },
    {
      id: 'T12',
      what: `${names[side]}, 16 callers`,
      value: crowded[side].perSecond,
      unit: '/s',
      raw: { what: 'bare /s', value: crowded.bare.perSecond },
    },
  ]);
}

async function createBareTables({ superuser }: BenchEnvironment): Promise<void> {
  await superuser.query(
    `CREATE TABLE public.bare_reservations (id uuid PRIMARY KEY, tenant_id uuid, amount bigint);
     CREATE TABLE public.bare_usage (id uuid PRIMARY KEY, tenant_id uuid, cost bigint)`,
  );
}

/** The minimum, as the baseline: a durable row, then a second durable row that replaces it. */
function createBareLedger({ superuser, ids, tenantId }: BenchEnvironment) {
  return async () => {
    const id = ids.next();
    await superuser.query({
      name: 'bare_reserve',
      text: 'INSERT INTO public.bare_reservations VALUES ($1, $2, $3)',
      values: [id, tenantId, AMOUNT],
    });
    await superuser.query({
      name: 'bare_settle',
      text: `WITH gone AS (DELETE FROM public.bare_reservations WHERE id = $1 RETURNING id, tenant_id)
        INSERT INTO public.bare_usage SELECT id, tenant_id, $2 FROM gone`,
      values: [id, COST],
    });
  };
}

async function openRow({ database, ids, tenantId, clock }: BenchEnvironment): Promise<string> {
  const id = ids.next();
  const now = clock.now();
  const row = { id, operation: 'extraction', provider: PROVIDER, model: MODEL, amountMicroUsd: AMOUNT } as const;
  const owner = { batchId: null, userId: null, fence: null, generation: null };
  await database.inTenant(tenantId, (tx) =>
    openReservation(tx, { ...row, ...owner, day: DAY, now, expiresAt: now + TIMEOUT_MS }),
  );
  return id;
}

async function settleRow({ database, tenantId, clock }: BenchEnvironment, reservationId: string): Promise<void> {
  const usage = { ...USAGE, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
  const settlement = { reservationId, outcome: 'ok', usage, costMicroUsd: COST, durationMs: 1 } as const;
  const outcome = await database.inTenant(tenantId, (tx) => settleReservation(tx, { ...settlement, now: clock.now() }));
  if (outcome !== 'settled') throw new Error('The ledger lost a reservation.');
}

function createAdmittedCall(environment: BenchEnvironment, coordination: Coordination) {
  const calls = openBenchCalls(environment, coordination);
  const call = makeBenchCall(environment.tenantId);
  return async () => {
    const result = await calls.run(call);
    if (result.outcome !== 'answered') throw new Error(`The admission ended with ${result.outcome}.`);
    await result.close('not_written');
  };
}
