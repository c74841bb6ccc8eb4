import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

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
