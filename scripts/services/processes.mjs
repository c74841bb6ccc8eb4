import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const POLL_MS = 50;

/**
 * Runs a program until it exits.
 * @returns {string} its standard output
 * @throws with its error output when it fails
 */
export function runTool(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64e6, ...options });
  if (error) throw new Error(`${command} could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stderr || stdout}`);
  return stdout;
}

/** Whether a program can be run and exits with 0. */
export function succeeds(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'ignore', ...options }).status === 0;
}

/** Starts a server that outlives this process, in a process group of its own. */
export function spawnServer(command, args, logDescriptor) {
  const child = spawn(command, args, { detached: true, stdio: ['ignore', logDescriptor, logDescriptor] });
  child.unref();
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid));
    child.once('error', (error) => reject(new Error(`${command} could not be started: ${error.message}`)));
  });
}

/**
 * Starts a server and waits until it answers.
 * @param {{ title: string, spawn: () => Promise<number>, answers: () => unknown, timeoutMs: number }} server
 * @returns {Promise<number>} its process id
 */
export async function startAndWait({ title, spawn: start, answers, timeoutMs }) {
  const pid = await start();
  let ready = false;
  await waitUntil(async () => (ready = Boolean(await answers())) || !isAlive(pid), timeoutMs);
  if (ready && isAlive(pid)) return pid;
  const reason = isAlive(pid) ? `did not answer within ${timeoutMs / 1000} s` : 'exited right after its start';
  await killProcess(pid);
  throw new Error(`${title} ${reason}: see \`npm run services logs\`.`);
}

/** Whether a process runs; a zombie does not. */
export function isAlive(pid) {
  return isInProcessTable(pid) && !isZombie(pid);
}

/** Whether the process table contains this process id, as a running process or a zombie. */
export function isInProcessTable(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isZombie(pid) {
  return readStat(pid)?.state === 'Z';
}

/** The command line of a process; empty when there is none. */
export function readCommand(pid) {
  const file = `/proc/${pid}/cmdline`;
  if (existsSync(file)) return readFileSync(file, 'utf8').replaceAll('\0', ' ');
  return spawnSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).stdout ?? '';
}

/** Sends a signal to a process, and SIGKILL after the grace time. */
export async function stopProcess(pid, signal, graceMs = 20_000) {
  if (!isAlive(pid)) return;
  send(pid, signal);
  if (await waitUntil(() => !isAlive(pid), graceMs)) return;
  await killProcess(pid);
}

/** Sends SIGKILL to a process and its children, like the kernel when memory runs out: nothing is flushed or logged. */
export async function killProcess(pid) {
  const processTree = [pid, ...childrenOf(pid)];
  for (const member of processTree) send(member, 'SIGKILL');
  await waitUntil(() => processTree.every((member) => !isAlive(member)), 10_000);
}

/** Stops a process and its children where they are: their connections stay open, and nothing answers. */
export function pauseProcess(pid) {
  // The parent first, which could start more children.
  send(pid, 'SIGSTOP');
  for (const child of childrenOf(pid)) send(child, 'SIGSTOP');
}

/** Lets a paused process and its children go on. */
export function resumeProcess(pid) {
  for (const member of [...childrenOf(pid), pid]) send(member, 'SIGCONT');
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

// Where there is no /proc (macOS), PostgreSQL's children notice the death of their parent by themselves.
function childrenOf(pid) {
  if (!existsSync('/proc/self/stat')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readStat(name)?.parent === pid)
    .map(Number);
}

function readStat(pid) {
  try {
    // The command in parentheses may contain blanks: fields are counted after it.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** Polls a condition; false when the time is over first. */
export async function waitUntil(condition, timeoutMs) {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}
