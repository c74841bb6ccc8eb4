import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

export interface SpawnNodeOptions {
  readonly cwd?: string;
  /** All its variables; default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export type NodeProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Of all processes that tests start; a service that is ready, or one that ends by itself, adds what it compiled. */
const COMPILE_CACHE = path.resolve(import.meta.dirname, '../../../../node_modules/.cache/compiled');
const END_WITH_PARENT = path.resolve(import.meta.dirname, '../../dist/processes/end-with-parent.js');

/**
 * Starts Node with these flags and arguments. However this process ends, the child ends with it: vitest ends hanging
 * workers with SIGKILL, and their children must not outlive them. Uses the child's stdin. Needs the build of this
 * package.
 */
export function spawnNode(args: readonly string[], options: SpawnNodeOptions = {}): NodeProcess {
  return spawn(process.execPath, ['--import', END_WITH_PARENT, ...args], {
    ...options,
    env: { ...(options.env ?? process.env), NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Lets this process end while the child runs, as after a test that failed before it stopped the child. */
export function detachProcess(child: NodeProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as Socket).unref();
}

const SHOWN_LINES = 40;

/** All output of a process, over its restarts. */
export class CapturedOutput {
  private readonly chunks: string[] = [];

  follow(...streams: readonly Readable[]): void {
    for (const stream of streams) {
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => this.chunks.push(chunk));
    }
  }

  get text(): string {
    return this.chunks.join('');
  }

  /** The last lines, for error messages. */
  get tail(): string {
    return this.text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  }
}
