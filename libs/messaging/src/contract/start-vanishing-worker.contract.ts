import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { QueueBackendConfig } from '../queue-backend/queue-backend.js';

const script = path.resolve(import.meta.dirname, 'vanishing-worker.mjs');

/** Lets another process take a job and kills it in the middle. Answers the job's id. */
export async function loseWorkerInMidJob(backend: QueueBackendConfig): Promise<string> {
  const child = spawn(process.execPath, [script, JSON.stringify(backend)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const { value: jobId } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  child.kill('SIGKILL');
  await ended;
  if (typeof jobId !== 'string') throw new Error('The other process ended before it took a job.');
  return jobId;
}
