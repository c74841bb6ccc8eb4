import { MODEL_WAIT_REASONS, type ModelWaitReason, type WorkKind } from '@annals/contracts';
import type { EnergyKind, EnergyLimits } from '@annals/domain';
import type { Database } from '../database/database.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { EnergyMeterEntity, EnergyPollEntity, EnergyUsageEntity } from '../entities/energy.entity.js';
import type { WorkEntity } from '../entities/work.entity.js';
import { levelSql, toMilliLimits, utcDayOf } from './meter-sql.js';

/** Draws of a kind on a UTC day. */
interface EnergyDrawn {
  readonly kind: EnergyKind;
  readonly consumedMilli: number;
  readonly calls: number;
}

/** Work of a kind that waits for the same reason. */
interface WaitingWork {
  readonly kind: WorkKind;
  readonly reason: ModelWaitReason;
  readonly count: number;
  /** Epoch ms at which the first of it is due. */
  readonly until: number;
}

export interface EnergyReading {
  readonly levelMilli: number;
  /** Of all time. */
  readonly consumedMilli: number;
  readonly today: readonly EnergyDrawn[];
  readonly waiting: readonly WaitingWork[];
}

/** The tenant's meter, full before its first draw, and the background work that waits. */
export async function readEnergy(
  tx: Tx,
  { now, limits }: { readonly now: number; readonly limits: EnergyLimits },
): Promise<EnergyReading> {
  const { capacity, refillPerHour } = toMilliLimits(limits);
  const [[meter], today, waiting] = await allOf([
    tx.query<Pick<EnergyMeterEntity, 'consumed_milli'> & { level: string }>(
      `SELECT m.consumed_milli, ${levelSql({ at: '$1', capacity: '$2', refill: '$3' })} AS level FROM energy_meters m`,
      [new Date(now), capacity, refillPerHour],
    ),
    tx.query<Pick<EnergyUsageEntity, 'kind' | 'consumed_milli' | 'calls'>>(
      'SELECT kind, consumed_milli, calls FROM energy_usage WHERE day = $1 ORDER BY kind',
      [utcDayOf(now)],
    ),
    tx.query<Pick<WorkEntity, 'kind'> & { deferred_reason: ModelWaitReason; count: string; until: Date }>(
      `SELECT kind, deferred_reason, count(*) AS count, min(available_at) AS until FROM work
        WHERE deferred_reason = ANY ($1) GROUP BY kind, deferred_reason ORDER BY kind, deferred_reason`,
      [MODEL_WAIT_REASONS],
    ),
  ]);
  return {
    levelMilli: meter ? Number(meter.level) : capacity,
    consumedMilli: Number(meter?.consumed_milli ?? 0),
    today: today.map(({ kind, consumed_milli, calls }) => ({ kind, consumedMilli: Number(consumed_milli), calls })),
    waiting: waiting.map(({ kind, deferred_reason, count, until }) => ({
      kind,
      reason: deferred_reason,
      count: Number(count),
      until: until.getTime(),
    })),
  };
}

/** What was drawn since this key last asked, and when that was (epoch ms); null for its first time. */
export interface EnergyPoll {
  readonly consumedMilli: number;
  readonly since: number | null;
}

/**
 * Reads the meter for an API key, and notes that the key has seen it. Polls of one key wait for each other, so that each
 * draw is told once.
 */
export async function pollEnergy(
  tx: Tx,
  { keyId, ...request }: { readonly keyId: string; readonly now: number; readonly limits: EnergyLimits },
): Promise<{ readonly reading: EnergyReading; readonly poll: EnergyPoll }> {
  const polledAt = new Date(request.now);
  const isFirst =
    (await tx.execute(
      'INSERT INTO energy_polls (key_id, consumed_milli, polled_at) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING',
      [keyId, polledAt],
    )) === 1;
  const [last] = await tx.query<Pick<EnergyPollEntity, 'consumed_milli' | 'polled_at'>>(
    'SELECT consumed_milli, polled_at FROM energy_polls WHERE key_id = $1 FOR UPDATE',
    [keyId],
  );
  // Behind the lock: a poll that was waited for has told what was drawn before it.
  const reading = await readEnergy(tx, request);
  await tx.execute('UPDATE energy_polls SET consumed_milli = $2, polled_at = $3 WHERE key_id = $1', [
    keyId,
    reading.consumedMilli,
    polledAt,
  ]);
  // Energy that was given back since may have lowered the sum.
  const consumedMilli = Math.max(0, reading.consumedMilli - Number(last!.consumed_milli));
  return { reading, poll: { consumedMilli, since: isFirst ? null : last!.polled_at.getTime() } };
}

/** Lowest level of all tenants' meters, 0 to 1 of the capacity; 1 while nothing was drawn. */
export async function readLowestEnergy(
  database: Pick<Database, 'callScalarAcrossTenants'>,
  { now, limits }: { readonly now: number; readonly limits: EnergyLimits },
): Promise<number> {
  const { capacity, refillPerHour } = toMilliLimits(limits);
  const lowest = await database.callScalarAcrossTenants<string>('lowest_energy', [
    new Date(now),
    capacity,
    refillPerHour,
  ]);
  return Number(lowest) / capacity;
}
