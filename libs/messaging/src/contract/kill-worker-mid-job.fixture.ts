import { spawnNode } from '@annals/testing';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { QueueBackendConfig } from '../queue-backend/queue-backend.js';

const script = path.resolve(import.meta.dirname, 'vanishing-worker.mjs');

/** Starts another process that takes a job, and kills it before the job ends. Returns the id of the job. */
export async function killWorkerMidJob(backend: QueueBackendConfig): Promise<string> {
  const child = spawnNode([script, JSON.stringify(backend)]);
  child.stderr.pipe(process.stderr, { end: false });
  const ended = once(child, 'exit');
  const { value: jobId } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  child.kill('SIGKILL');
  await ended;
  if (typeof jobId !== 'string') throw new Error('The other process exited before it took a job.');
  return jobId;
}
