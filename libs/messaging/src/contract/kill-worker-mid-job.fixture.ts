import { spawnNode } from '@annals/testing';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { QueueBackendConfig } from '../queue-backend/queue-backend.js';

const script = path.resolve(import.meta.dirname, 'vanishing-worker.mjs');

/** Lets another process take a job and kills it in the middle. Answers the job's id. */
export async function killWorkerMidJob(backend: QueueBackendConfig): Promise<string> {
  const child = spawnNode([script, JSON.stringify(backend)]);
  child.stderr.pipe(process.stderr, { end: false });
  const ended = once(child, 'exit');
  const { value: jobId } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  child.kill('SIGKILL');
  await ended;
  if (typeof jobId !== 'string') throw new Error('The other process ended before it took a job.');
  return jobId;
}
