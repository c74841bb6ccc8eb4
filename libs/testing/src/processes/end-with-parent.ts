import type { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

// Loaded before the program of every process that tests start. Their end of its stdin closes with them, also when they
// are killed and can tell nobody.
const end = (): void => void process.kill(process.pid, 'SIGKILL');

if (isMainThread) {
  process.stdin.once('end', end).once('error', end).resume();
  // A process that has nothing left to do ends all the same.
  (process.stdin as unknown as Socket).unref();
}
