import { type NodeProcess, spawnNode } from '@annals/testing';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { SpenderSettings } from './spender.js';

const MAIN = path.join(import.meta.dirname, 'spender.ts');

/** One process of spenders, which can be killed and restarted. */
export class SpenderProcess {
  /** Outcomes of its calls, as far as it reported them before it was killed. */
  readonly counts: Record<string, number> = {};
  /** Its standard error, which includes its log. */
  errors = '';
  private child: NodeProcess | undefined;

  constructor(private readonly settings: SpenderSettings) {}

  /** Resolves once it has started. @throws Error with its standard error when it ends before */
  async start(seed = this.settings.seed): Promise<void> {
    const child = spawnNode([MAIN, JSON.stringify({ ...this.settings, seed })], { env: { PATH: process.env.PATH } });
    const lines = createInterface({ input: child.stdout }).on('line', (line) => this.read(line));
    const written = text(child.stderr);
    void written.then((errors) => (this.errors += errors));
    this.child = child;
    const ended = once(child, 'close').then(async () => {
      throw new Error(`A spender ended before it had started: ${await written}`);
    });
    await Promise.race([once(lines, 'line'), ended]);
  }

  /** While it runs. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  async kill9(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Lets it finish its calls; returns its exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  private read(line: string): void {
    const entry = JSON.parse(line) as Record<string, unknown>;
    if ('level' in entry) this.errors += `${line}\n`;
    else
      for (const [what, count] of Object.entries(entry)) this.counts[what] = (this.counts[what] ?? 0) + Number(count);
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'close');
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  }
}
