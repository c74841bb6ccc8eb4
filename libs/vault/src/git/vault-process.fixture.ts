import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
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
  const [command = process.execPath, ...args] = [...wrap, process.execPath, file, folder];
  // A group of its own, so that the runs of Git can be killed with it.
  const child = spawn(command, args, { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { lines, ended, kill: (withGit) => kill(child, withGit, ended) };
}

async function kill(child: ChildProcess, withGit: boolean, ended: Promise<unknown>): Promise<void> {
  try {
    process.kill(withGit ? -child.pid! : child.pid!, 'SIGKILL');
  } catch (error) {
    // It has ended before.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await ended;
}
