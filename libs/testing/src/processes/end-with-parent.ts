import type { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

// Loaded before the program of every process that tests start. The parent's end of its stdin closes with the parent,
// even when the parent is killed.
const end = (): void => void process.kill(process.pid, 'SIGKILL');

if (isMainThread) {
  process.stdin.once('end', end).once('error', end).resume();
  // Lets the process end when it has nothing left to do.
  (process.stdin as unknown as Socket).unref();
}
