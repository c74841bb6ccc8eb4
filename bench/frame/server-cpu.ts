import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type pg from 'pg';

/** CPU of the servers since their start, in ms. */
interface ServerCpu {
  /** Undefined where its processes cannot be seen: it runs on another machine, or in a container. */
  readonly postgresMs: number | undefined;
  readonly valkeyMs: number;
}

export interface ServerCpuMeter {
  read(): Promise<ServerCpu>;
  close(): void;
}

/**
 * Of the whole servers: whatever else uses them meanwhile counts as well. A connection that is closing just now may be
 * missed, so read while the connections that matter are open.
 */
export async function meterServerCpu(pool: pg.Pool, redisUrl: string): Promise<ServerCpuMeter> {
  const readPostgres = await findDatabaseCpu(pool);
  const redis = new Redis(redisUrl);
  return {
    read: async () => ({ postgresMs: readPostgres?.(), valkeyMs: sumCpu(await redis.info('cpu')) }),
    close: () => redis.disconnect(),
  };
}

/** In ms, from the seconds in INFO's section `cpu`. */
function sumCpu(info: string): number {
  const seconds = info.matchAll(/^used_cpu_(?:sys|user)(?:_children)?:([\d.]+)\r?$/gm);
  return [...seconds].reduce((sum, [, value]) => sum + Number(value) * 1_000, 0);
}

/** Ticks of a second in /proc on Linux. */
const TICKS_PER_SECOND = 100;

interface ProcessStat {
  readonly name: string;
  readonly parent: number;
  /** Of the process and of its children that have ended, in ticks. */
  readonly ticks: number;
}

/**
 * Reads the CPU of a PostgreSQL that runs on this machine, in ms since its start; undefined when it runs elsewhere, also
 * in a container.
 */
export async function findDatabaseCpu(pool: pg.Pool): Promise<(() => number) | undefined> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const backend = readStat(rows[0]!.pid);
  if (backend?.name !== 'postgres') return undefined;
  const server = backend.parent;
  return () => {
    const stats = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), stat: readStat(Number(name)) }));
    const ticks = stats
      .filter(({ pid, stat }) => stat && (pid === server || stat.parent === server))
      .reduce((sum, { stat }) => sum + stat!.ticks, 0);
    return (ticks * 1_000) / TICKS_PER_SECOND;
  };
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain blanks: fields are counted behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')), parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}
