import { APP_ENERGY_KINDS, APP_ENERGY_SHARE, type EnergyKind, type EnergyLimits } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { EnergyMeterEntity } from '../entities/energy.entity.js';
import { levelSql, timeToRefill, toMilli, toMilliLimits, utcDayOf } from './meter-sql.js';

const DAY_MS = 24 * 3_600_000;

export interface EnergyRequest {
  readonly kind: EnergyKind;
  readonly units: number;
  /** Epoch ms. */
  readonly now: number;
  readonly limits: EnergyLimits;
}

/**
 * `low`: the meter would fall below its reserve. `share`: apps would use more than theirs of the day. `until`: epoch ms
 * from which the same draw succeeds if nothing else draws. `waiting`: work of the tenant that waits for energy already, as
 * far as it is counted (`MAX_WAITING`).
 */
export type EnergyDraw =
  | {
      readonly drawn: true;
      /** What is left. */
      readonly levelMilli: number;
      /** The UTC day it is counted on; giving it back names the same. */
      readonly day: string;
    }
  | { readonly drawn: false; readonly why: 'share'; readonly until: number }
  | { readonly drawn: false; readonly why: 'low'; readonly until: number; readonly waiting: number };

/** Bounds what is read to answer a refused draw. */
const MAX_WAITING = 1_000;

const LEVEL = levelSql({ at: '$1', capacity: '$3', refill: '$5' });
const APP_TODAY = 'CASE WHEN m.app_day = $6::date THEN m.app_milli ELSE 0 END';

// All that decides is in the meter's row, so that a draw that waited for another one decides on what that one left.
const DRAW_SQL = `
  WITH drawn AS (
    UPDATE energy_meters m
       SET level_milli = ${LEVEL} - $2::bigint, consumed_milli = m.consumed_milli + $2::bigint,
           updated_at = greatest(m.updated_at, $1::timestamptz),
           app_day = CASE WHEN $8::boolean THEN $6::date ELSE m.app_day END,
           app_milli = CASE WHEN $8::boolean THEN ${APP_TODAY} + $2::bigint ELSE m.app_milli END
     WHERE ${LEVEL} - $2::bigint >= $4::bigint
       AND (NOT $8::boolean OR ${APP_TODAY} + $2::bigint <= $9::bigint)
    RETURNING m.level_milli
  ), noted AS (
    INSERT INTO energy_usage AS u (day, kind, consumed_milli, calls)
    SELECT $6::date, $7::text, $2::bigint, 1 FROM drawn
    ON CONFLICT (tenant_id, day, kind)
    DO UPDATE SET consumed_milli = u.consumed_milli + excluded.consumed_milli, calls = u.calls + 1
  )
  SELECT level_milli FROM drawn`;

/**
 * Draws energy for one model call, or says until when it has to wait (docs/reference/energy.md#draws). A tenant's first
 * draw makes its meter, full. Run it in a transaction of its own: the meter's row is locked until the commit.
 */
export async function drawEnergy(tx: Tx, request: EnergyRequest): Promise<EnergyDraw> {
  const { kind, units, now, limits } = request;
  const { capacity, reserve, refillPerHour } = toMilliLimits(limits);
  const cost = toMilli(units);
  const isApp = APP_ENERGY_KINDS.includes(kind);
  const share = Math.floor(refillPerHour * 24 * APP_ENERGY_SHARE);
  const day = utcDayOf(now);
  const draw = () =>
    tx.query<Pick<EnergyMeterEntity, 'level_milli'>>(DRAW_SQL, [
      new Date(now),
      cost,
      capacity,
      reserve,
      refillPerHour,
      day,
      kind,
      isApp,
      share,
    ]);
  for (;;) {
    const [drawn] = await draw();
    if (drawn) return { drawn: true, levelMilli: Number(drawn.level_milli), day };
    const meter = await readMeter(tx, { now, capacity, refillPerHour, day });
    if (!meter) {
      await createMeter(tx, { capacity, now });
      continue;
    }
    if (isApp && meter.app + cost > share) return { drawn: false, why: 'share', until: Date.parse(day) + DAY_MS };
    const missing = reserve + cost - meter.level;
    if (missing > 0) {
      const until = now + timeToRefill(missing, { refillPerHour });
      return { drawn: false, why: 'low', until, waiting: await countWaiting(tx, isApp) };
    }
    // Another process made the meter, or gave energy back, between the two statements.
  }
}

async function readMeter(
  tx: Tx,
  { now, capacity, refillPerHour, day }: { now: number; capacity: number; refillPerHour: number; day: string },
): Promise<{ readonly level: number; readonly app: number } | undefined> {
  const [meter] = await tx.query<{ level: string; app: string }>(
    `SELECT ${levelSql({ at: '$1', capacity: '$2', refill: '$3' })} AS level,
            CASE WHEN m.app_day = $4::date THEN m.app_milli ELSE 0 END AS app
       FROM energy_meters m`,
    [new Date(now), capacity, refillPerHour, day],
  );
  return meter && { level: Number(meter.level), app: Number(meter.app) };
}

/** App memories wait for their share of the day as well, in which case they draw nothing from the meter. */
async function countWaiting(tx: Tx, isApp: boolean): Promise<number> {
  const [row] = await tx.query<{ waiting: number }>(
    `SELECT count(*)::integer AS waiting
       FROM (SELECT FROM work WHERE deferred_reason = 'energy' AND ($1 OR kind <> 'app_memory') LIMIT ${MAX_WAITING}) w`,
    [isApp],
  );
  return row!.waiting;
}

/** Makes a full meter unless there is one. */
async function createMeter(
  tx: Tx,
  { capacity, now }: { readonly capacity: number; readonly now: number },
): Promise<void> {
  await tx.execute(
    'INSERT INTO energy_meters (level_milli, updated_at) VALUES ($1, $2) ON CONFLICT (tenant_id) DO NOTHING',
    [capacity, new Date(now)],
  );
}

/**
 * Gives back what was drawn on `day` for a call that certainly cost nothing: exactly, but never above the capacity
 * (docs/reference/energy.md#what-is-given-back).
 */
export async function giveEnergyBack(tx: Tx, request: EnergyRequest & { readonly day: string }): Promise<void> {
  const { kind, units, now, limits, day } = request;
  const { capacity, refillPerHour } = toMilliLimits(limits);
  await tx.execute(
    `WITH given AS (
       UPDATE energy_meters m
          SET level_milli = least($3::bigint, ${levelSql({ at: '$1', capacity: '$3', refill: '$4' })} + $2::bigint),
              consumed_milli = m.consumed_milli - $2::bigint, updated_at = greatest(m.updated_at, $1::timestamptz),
              app_milli = m.app_milli - CASE WHEN $7::boolean AND m.app_day = $5::date THEN $2::bigint ELSE 0 END
       RETURNING 1)
     UPDATE energy_usage u SET consumed_milli = u.consumed_milli - $2::bigint, calls = u.calls - 1 FROM given
      WHERE u.day = $5::date AND u.kind = $6::text`,
    [new Date(now), toMilli(units), capacity, refillPerHour, day, kind, APP_ENERGY_KINDS.includes(kind)],
  );
}
