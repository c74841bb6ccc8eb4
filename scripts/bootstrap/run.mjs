import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { root } from './paths.mjs';

const PARENT_POLL_MS = 500;
const STOP_GRACE_MS = 20_000;

/**
 * Runs a program until it exits, with the terminal and signals of this process.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] quiet: its output is shown only on failure
 * @returns {Promise<number>} the exit code, 128 + signal number when a signal ended it
 */
export function run(command, args, { env = process.env, quiet = false } = {}) {
  const child = spawn(command, args, { cwd: root, env, stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const release = stopChildWithParent(child);
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

/** Like run, but throws when the program fails; the command then ends with the program's exit code. */
export async function mustRun(command, args, options) {
  const exitCode = await run(command, args, options);
  if (exitCode !== 0)
    throw Object.assign(new Error(`${command} ${args[0] ?? ''} failed with exit code ${exitCode}.`), { exitCode });
}

/**
 * Stops the child with `npm start`: killing npm may end npm only, or npm and its shell, but never this process, so its
 * ancestors are polled.
 */
function stopChildWithParent(child) {
  const handlers = new Map(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => forward(child, signal)]));
  for (const [signal, handler] of handlers) process.on(signal, handler);
  const ancestors = readAncestors();
  const poll = setInterval(() => {
    if (readAncestors() === ancestors) return;
    clearInterval(poll);
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS).unref();
  }, PARENT_POLL_MS);
  return () => {
    clearInterval(poll);
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** Process ids of npm's shell and npm. Empty without npm: a script may start this process and exit on purpose. */
function readAncestors() {
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
  // Ctrl-C in a terminal reaches the whole process group: forwarded, it would count as a second Ctrl-C.
  if (signal === 'SIGINT' && process.stdin.isTTY) return;
  child.kill(signal);
}
