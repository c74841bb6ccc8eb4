import { once } from 'node:events';
import { findProgram } from './find-program.js';
import { spawnNode } from './spawn-node.js';

export interface CommandResult {
  /** Exit code; null when a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which they arrived. */
  readonly output: string;
}

/** Runs `annals <args>` (apps/doctor) to its end, with no variables but `PATH` and `env`. Needs the build. */
export async function runAnnals(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const child = spawnNode([findProgram('apps/doctor/dist/main.js'), ...args], {
    env: { PATH: process.env['PATH'], ...env },
  });
  const written = { stdout: '', stderr: '', output: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      written.output += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...written };
}
