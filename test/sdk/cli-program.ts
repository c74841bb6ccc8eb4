import { execFile } from 'node:child_process';
import path from 'node:path';
import { type Runtime, RUNTIMES } from './runtimes.js';

/** The versions of Node that the program has to run on. */
export const NODES: readonly Runtime[] = RUNTIMES.filter(({ title }) => title.startsWith('Node'));

/** The program of `@annals/sdk` as it is installed in a folder. */
export function programIn(folder: string): string {
  return path.join(folder, 'node_modules/.bin/annals-sdk');
}

/** Variables with which a program that names `node` as its interpreter runs on this one. */
export function environmentOf({ program }: Runtime): { readonly PATH: string } {
  return { PATH: [path.dirname(program), process.env['PATH']].join(path.delimiter) };
}

interface ProgramResult {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, in a folder, without a standard input. */
export function runToEnd(
  [program, ...args]: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? null) : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
