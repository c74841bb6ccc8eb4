import type { SystemClock, UuidV7Generator } from '@annals/domain';
import pg from 'pg';

/** A database of a benchmark on the given server. */
export interface BenchDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

const NAME_START = 'annals_bench_';
/** No benchmark takes this long: an older database was left by one that was killed. */
const LEFTOVER_AGE_MS = 2 * 60 * 60 * 1_000;

/** Creates an empty database. `serverUrl`: of a superuser. */
export async function createBenchDatabase(
  serverUrl: string,
  { clock, ids }: { readonly clock: SystemClock; readonly ids: UuidV7Generator },
): Promise<BenchDatabase> {
  const name = `${NAME_START}${Math.floor(clock.now() / 1_000)}_${ids.next().slice(-6)}`;
  await dropLeftovers(serverUrl, clock);
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    async drop() {
      await administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function dropLeftovers(url: string, clock: SystemClock): Promise<void> {
  const rows = await administer(url, `SELECT datname FROM pg_database WHERE starts_with(datname, '${NAME_START}')`);
  for (const { datname } of rows as { datname: string }[]) {
    const madeAt = Number(datname.slice(NAME_START.length).split('_')[0]) * 1_000;
    if (clock.now() - madeAt > LEFTOVER_AGE_MS) await administer(url, `DROP DATABASE ${datname} WITH (FORCE)`);
  }
}

async function administer(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
