import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchEnvironment, Servers } from '../frame/bench-environment.ts';
import { createBenchDatabase } from '../frame/bench-database.ts';
import type { Mem0Report, Mem0Settings } from '../processes/mem0.ts';
import { installPackages } from './install-packages.ts';
import { DIMENSIONS, startModelServer } from './mem0-models.ts';

/** mem0, and those of its peers that it imports with pgvector as its store. */
const PACKAGES = ['mem0ai@3.3.1', 'pg@8.23.1', 'better-sqlite3@12.6.2', 'compromise@14.17.0'];
const SCRIPT = path.join(import.meta.dirname, '../processes/mem0.ts');

/** mem0's library for TypeScript in a process of its own. */
export interface Mem0 {
  /** Adds the next `count` conversations of the pipeline's load. */
  add(count: number): Promise<Mem0Report>;
  close(): Promise<void>;
}

/**
 * mem0 on a database of its own on the same server, with models that answer at once; null when it cannot be installed.
 */
export async function openMem0({ databaseUrl }: Servers, environment: BenchEnvironment): Promise<Mem0 | null> {
  // Without its peers: npm would install the clients of all stores and models that mem0 knows.
  const installed = await installPackages('mem0', PACKAGES, ['--legacy-peer-deps']);
  if (!installed) return null;
  const database = await createBenchDatabase(databaseUrl, environment);
  const models = await startModelServer();
  const settings: Mem0Settings = {
    // Its module for `require`: that for `import` cannot load the package that finds entities, and silently leaves out
    // that part of the work, for less than half the CPU.
    entry: pathToFileURL(path.join(installed.folder, 'node_modules/mem0ai/dist/oss/index.js')).href,
    databaseUrl: database.url,
    modelsUrl: models.url,
    dimensions: DIMENSIONS,
  };
  const child = fork(SCRIPT, [JSON.stringify(settings)], {
    env: { ...process.env, MEM0_TELEMETRY: 'false', MEM0_DIR: installed.folder },
    // It sends a statement before the one before was answered, which pg warns of.
    execArgv: ['--no-deprecation'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    add: (count) => ask(child, count),
    async close() {
      if (child.exitCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      models.close();
      await database.drop();
      await installed.remove();
    },
  };
}

async function ask(child: ChildProcess, count: number): Promise<Mem0Report> {
  const ended = new AbortController();
  const { signal } = ended;
  const answered = once(child, 'message', { signal }) as Promise<[Mem0Report]>;
  const died = once(child, 'exit', { signal }).then(() => {
    throw new Error('The process of mem0 ended before it answered.');
  });
  child.send(count);
  try {
    return (await Promise.race([answered, died]))[0];
  } finally {
    ended.abort();
    await Promise.allSettled([answered, died]);
  }
}
