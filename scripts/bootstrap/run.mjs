import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { root } from './paths.mjs';

const PARENT_POLL_MS = 500;
const STOP_GRACE_MS = 20_000;

/**
 * Runs a program to its end, with our terminal and signals.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] quiet: its output is kept and shown only on failure
 * @returns {Promise<number>} the exit code, 128 + signal when a signal ended it
 */
export function run(command, args, { env = process.env, quiet = false } = {}) {
  const child = spawn(command, args, { cwd: root, env, stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const release = stopChildWithUs(child);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      release();
      reject(new Error(`${command} could not be started: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      release();
      const exitCode = code ?? 128 + constants.signals[signal];
      if (exitCode !== 0) for (const chunk of output) process.stderr.write(chunk);
      resolve(exitCode);
    });
  });
}

/** Like run, but anything but success is an error that ends the command with the same exit code. */
export async function mustRun(command, args, options) {
  const exitCode = await run(command, args, options);
  if (exitCode !== 0)
    throw Object.assign(new Error(`${command} ${args[0] ?? ''} ended with ${exitCode}.`), { exitCode });
}

/** A child must not outlive `npm start`: killing npm may end npm alone, or npm and its shell, and never us. */
function stopChildWithUs(child) {
  const handlers = new Map(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => forward(child, signal)]));
  for (const [signal, handler] of handlers) process.on(signal, handler);
  const callers = readCallers();
  const poll = setInterval(() => {
    if (readCallers() === callers) return;
    clearInterval(poll);
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS).unref();
  }, PARENT_POLL_MS);
  return () => {
    clearInterval(poll);
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** npm's shell and npm. Without npm nobody is watched: a script may start us and end on purpose. */
function readCallers() {
  if (!process.env.npm_lifecycle_event) return '';
  const shell = process.ppid;
  try {
    const status = readFileSync(`/proc/${shell}/status`, 'utf8');
    return `${shell} ${/^PPid:\s+(\d+)/m.exec(status)?.[1]}`;
  } catch {
    return `${shell}`;
  }
}

function forward(child, signal) {
  // Ctrl-C in a terminal reaches the whole group: sent again, it would look like an impatient second one.
  if (signal === 'SIGINT' && process.stdin.isTTY) return;
  child.kill(signal);
}
