import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createTestFolder } from './vault.fixture.js';

const DIST = path.resolve(import.meta.dirname, '../../dist/index.js');
const DOMAIN = path.resolve(import.meta.dirname, '../../../domain/dist/index.js');

const PRELUDE = `
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SystemClock } from ${JSON.stringify(DOMAIN)};
import * as vault from ${JSON.stringify(DIST)};
const [folder] = process.argv.slice(2);
const settings = { clock: new SystemClock(), searchPath: process.env.PATH };
const author = { name: 'Annals', email: 'annals@localhost' };
const say = (line) => process.stdout.write(line + '\\n');
process.stdin.on('end', () => process.exit()).resume();
`;

/** A process that uses the built package, and may be killed. Needs the build of this package. */
export interface VaultProcess {
  /** The lines that it has written. */
  readonly lines: string[];
  readonly ended: Promise<number | null>;
  /** Kills it, with the runs of Git that it has started or without them. */
  kill(withGit: boolean): Promise<void>;
}

/** Runs this script, which may use `vault`, `folder`, `settings`, `author` and `say`; `wrap` is a command before Node. */
export async function startVaultProcess(
  script: string,
  folder: string,
  wrap: readonly string[] = [],
): Promise<VaultProcess> {
  const file = path.join(await createTestFolder(), 'process.mjs');
  await writeFile(file, PRELUDE + script);
  const command = [...wrap, process.execPath, file, folder];
  // A group of its own, which a command before Node is killed with.
  const child = spawn(command[0]!, command.slice(1), { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { lines, ended, kill: (withGit) => kill(child, withGit, ended) };
}

async function kill(child: ChildProcess, withGit: boolean, ended: Promise<unknown>): Promise<void> {
  // Stopped, so that it starts no more while its runs are looked for.
  signal(-child.pid!, 'SIGSTOP');
  const started = withGit ? await listStartedBy(child.pid!) : [];
  for (const pid of [-child.pid!, ...started]) signal(pid, 'SIGKILL');
  await ended;
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended before.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The processes that this one has started, and those that these have: each run of Git is in a group of its own. */
async function listStartedBy(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const found = new Set([pid]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const [id, parent] of rows) if (found.has(parent)) found.add(id);
  }
  found.delete(pid);
  return [...found];
}
