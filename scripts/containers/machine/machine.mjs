import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, killProcess, runTool, succeeds, waitUntil } from '../../services/processes.mjs';
import { inContainers, repository } from '../paths.mjs';
import { report } from '../report.mjs';
import { copyNameService, ensureRoot, rootFolder } from './build-root.mjs';
import { findMachine, findNetwork, forgetMachine, saveProcess } from './state.mjs';

const READY_TIMEOUT_MS = 60_000;
const here = import.meta.dirname;

/** Where the repository is in the machine; read-only. */
export const repositoryInMachine = '/repository';

/** Waits for ever, and reaps the processes whose parents have ended. */
const INIT = ['catatonit', '-P'];

const NAMESPACES = ['--mount', '--net', '--pid', '--ipc', '--uts'];

/**
 * Starts the machine with a Docker daemon, unless it runs: Debian 13 in namespaces of its own. When its first process
 * ends, the kernel ends all others and removes mounts, network and firewall rules.
 */
export async function startMachine() {
  refuseWhereImpossible();
  if (findMachine()) return;
  ensureRoot();
  copyNameService();
  await stopNetwork();
  const pid = await startInit();
  saveProcess('machine', pid);
  await connectNetwork(pid);
  await startDocker();
}

/** Ends every process of the machine; its images and volumes are kept in .containers/root. */
export async function stopMachine() {
  const pid = findMachine();
  if (pid) await killProcess(pid);
  await stopNetwork();
  forgetMachine();
  removeControlGroups();
}

/** Program and arguments that run a command in the machine. */
export function commandInMachine(command, args) {
  return enter(['--mount', '--net', '--pid', '--ipc', '--uts', '--root', '--wd'], command, args);
}

/** The same for a program of this computer that only has to reach the machine's ports. */
export function commandInNetwork(command, args) {
  return enter(['--net'], command, args);
}

function enter(namespaces, command, args) {
  const pid = findMachine();
  if (!pid)
    throw new Error(
      'The machine does not run: start it with `node scripts/containers/enter.mjs --disposable-machine`.',
    );
  return ['nsenter', ['--target', `${pid}`, ...namespaces, '--', command, ...args]];
}

function refuseWhereImpossible() {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new Error('The machine needs Linux and root: start Docker instead.');
}

async function startInit() {
  const log = openSync(inContainers('machine.log'), 'w');
  const init = ['sh', path.join(here, 'init.sh'), rootFolder, repository];
  const child = spawn('unshare', [...NAMESPACES, '--fork', '--kill-child', ...init, ...INIT], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let first;
  const ready = await waitUntil(() => {
    first ??= childOf(child.pid);
    return !isAlive(child.pid) || (first && readFileSync(`/proc/${first}/comm`, 'utf8').trim() === INIT[0]);
  }, READY_TIMEOUT_MS);
  if (!ready || !first || !isAlive(first))
    throw new Error(`The machine did not start:\n${readFileSync(inContainers('machine.log'), 'utf8')}`);
  return first;
}

function childOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children ? Number(children.split(' ')[0]) : undefined;
}

async function connectNetwork(pid) {
  const log = openSync(inContainers('network.log'), 'w');
  const args = ['--mount', 'sh', path.join(here, 'network.sh'), rootFolder, `${pid}`];
  const child = spawn('unshare', args, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.unref();
  const connected = await waitUntil(() => hasRoute() || !isAlive(child.pid), READY_TIMEOUT_MS);
  // By now it is pasta: what was spawned became it.
  saveProcess('network', child.pid);
  if (connected && hasRoute()) return;
  throw new Error(`The machine's network was not connected:\n${readFileSync(inContainers('network.log'), 'utf8')}`);
}

function hasRoute() {
  const [command, args] = commandInMachine('ip', ['route', 'show', 'default']);
  return runTool(command, args).includes('default');
}

async function stopNetwork() {
  const pid = findNetwork();
  if (pid) await killProcess(pid);
}

async function startDocker() {
  report('starting Docker in a Debian 13 of its own …');
  const log = openSync(inContainers('dockerd.log'), 'w');
  const flags = ['--host=unix:///run/docker.sock', '--exec-opt=native.cgroupdriver=cgroupfs'];
  const [command, args] = commandInMachine('dockerd', [...flags, '--default-ulimit=nofile=4096:4096']);
  spawn(command, args, { detached: true, stdio: ['ignore', log, log] }).unref();
  closeSync(log);
  if (await waitUntil(() => succeeds(...commandInMachine('docker', ['info'])), READY_TIMEOUT_MS)) return;
  throw new Error(
    `The Docker daemon did not answer:\n${readFileSync(inContainers('dockerd.log'), 'utf8').slice(-2000)}`,
  );
}

/** Control groups are no namespace here: those that Docker and Podman made stay, empty, until they are removed. */
function removeControlGroups() {
  const names = ['docker', 'libpod_parent', 'machine.slice'].map((name) => `-name ${name}`).join(' -o ');
  runTool('sh', [
    '-c',
    `find /sys/fs/cgroup -mindepth 1 -maxdepth 2 -type d \\( ${names} \\) 2>/dev/null | while read -r group; do ` +
      'find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true; done',
  ]);
}
