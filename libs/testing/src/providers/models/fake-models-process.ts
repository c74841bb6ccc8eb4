import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type NodeProcess, spawnNode } from '../../processes/spawn-node.js';
import { FakeModelsRemote } from './control.js';
import type { FakeModelsSettings } from './fake-models.js';

const MAIN = path.resolve(import.meta.dirname, '../../../dist/providers/models/fake-models.main.js');

/**
 * Fake models in a process of their own, so that their work does not slow the test's process. They end with that
 * process.
 */
export class FakeModelsProcess extends FakeModelsRemote {
  private constructor(
    url: string,
    private readonly child: NodeProcess,
  ) {
    super(url);
  }

  /** Needs the build of this package. */
  static async start(settings: FakeModelsSettings = {}): Promise<FakeModelsProcess> {
    const child = spawnNode([MAIN, JSON.stringify(settings)]);
    child.stderr.pipe(process.stderr, { end: false });
    const lines = createInterface({ input: child.stdout });
    const url = await Promise.race([
      once(lines, 'line').then(([line]) => String(line)),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`The fake models exited with ${String(code)}.`))),
    ]);
    lines.close();
    return new FakeModelsProcess(url, child);
  }

  get pid(): number {
    return this.child.pid!;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}
