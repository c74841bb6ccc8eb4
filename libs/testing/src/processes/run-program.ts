import { once } from 'node:events';
import { findProgram } from './find-program.js';
import { spawnNode } from './spawn-node.js';

export interface ProgramResult {
  /** Exit code; null when a signal ended the program. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which they arrived. */
  readonly output: string;
}

/** Runs `annals <args>` (apps/doctor) to its end, like {@link runProgram}. Needs the build. */
export function runAnnals(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> {
  return runProgram(findProgram('apps/doctor/dist/main.js'), args, env);
}

/** Runs a program, by its absolute path, to its end, with no variables but `PATH` and `env`. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  const child = spawnNode([program, ...args], { env: { PATH: process.env['PATH'], ...env } });
  const written = { stdout: '', stderr: '', output: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      written.output += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...written };
}
