import type { WorkKind } from '@annals/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchEnvironment } from '../../frame/bench-environment.ts';
import type { ServiceProcess } from '../../frame/service-process.ts';
import type { Prepared } from './kind.ts';
import type { Offered } from './offer.ts';

/** Until the relays have seen what is due next. */
const LEAD_MS = 1_500;
const POLL_MS = 100;
const TIMEOUT_MS = 180_000;

/** Where the times are at which work of these kinds was done. */
export interface DoneTimes {
  readonly kinds: readonly WorkKind[];
  /** Selects `at`, from `$1` on. */
  readonly sql: string;
}

/** Holds work of these kinds back from the moment it is created. */
export async function holdWork({ superuser }: BenchEnvironment, kinds: readonly WorkKind[]): Promise<void> {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  await superuser.query(
    `CREATE FUNCTION hold_work() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN NEW.available_at := now() + interval '1 day'; RETURN NEW; END $$;
     CREATE TRIGGER hold_new_work BEFORE INSERT ON work FOR EACH ROW WHEN (NEW.kind IN (${list}))
       EXECUTE FUNCTION hold_work();
     CREATE TRIGGER hold_next_stage BEFORE UPDATE ON work FOR EACH ROW
       WHEN (NEW.kind IN (${list}) AND NEW.kind <> OLD.kind) EXECUTE FUNCTION hold_work()`,
  );
}

/** Makes held work due at a rate, as the relays of the services find it, and waits until it is done. */
async function offerWork(
  { superuser }: BenchEnvironment,
  { kinds, sql }: DoneTimes,
  { perSecond, count }: { readonly perSecond: number; readonly count: number },
): Promise<Offered> {
  const { rows } = await superuser.query<{ due: number }>(
    `UPDATE work w SET available_at = plan.at, rank_at = plan.at
       FROM (SELECT tenant_id, id, now() + make_interval(secs => $2 + (row_number() OVER (ORDER BY created_at, id) - 1) / $3::float8) AS at
               FROM work WHERE kind = ANY ($1) AND available_at > now() + interval '1 hour' ORDER BY created_at, id LIMIT $4) plan
      WHERE w.tenant_id = plan.tenant_id AND w.id = plan.id
     RETURNING (extract(epoch FROM plan.at) * 1000)::float8 AS due`,
    [kinds, LEAD_MS / 1_000, perSecond, count],
  );
  if (rows.length < count) throw new Error(`There is work for ${rows.length} of ${count} jobs only: prepare more.`);
  const due = rows.map((row) => row.due);
  const from = new Date(Math.min(...due));
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const { rows: ended } = await superuser.query<{ at: number }>(sql, [from]);
    if (ended.length >= count) return { due, done: ended.map(({ at }) => at).slice(0, count) };
    await sleep(POLL_MS);
  }
  throw new Error(`Work of ${kinds.join(', ')} was not done within ${TIMEOUT_MS / 1_000} s.`);
}

/** Work at so high a rate that all of it is due at once: how much of it is done per second. */
async function saturateWithWork(environment: BenchEnvironment, done: DoneTimes, count: number): Promise<number> {
  const { done: at } = await offerWork(environment, done, { perSecond: 100_000, count });
  const sorted = at.toSorted((a, b) => a - b);
  return ((sorted.length - 1) * 1_000) / (sorted.at(-1)! - sorted[0]!);
}

/** A process that does scheduled work, with what prepares more of it. */
export interface WorkingProcess {
  readonly process: ServiceProcess;
  readonly done: DoneTimes;
  stock(count: number): Promise<void>;
  /** How many pieces show what it does when work waits. */
  readonly saturatingCount: number;
}

export function prepareWork(
  environment: BenchEnvironment,
  { process, done, stock, saturatingCount }: WorkingProcess,
): Prepared {
  return {
    process,
    stock,
    saturate: () => saturateWithWork(environment, done, saturatingCount),
    offer: (perSecond, seconds) =>
      offerWork(environment, done, { perSecond, count: Math.max(2, Math.round(perSecond * seconds)) }),
  };
}
