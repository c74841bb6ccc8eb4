import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, readCommand } from '../../services/processes.mjs';
import { inContainers } from '../paths.mjs';

const file = inContainers('machine.json');

/** Process id of the running machine's first process, if it runs. */
export function findMachine() {
  return findProcess('machine');
}

/** Process id of the program that connects the machine's network, if it runs. */
export function findNetwork() {
  return findProcess('network');
}

/** @param {'machine' | 'network'} name */
export function saveProcess(name, pid) {
  writeFileSync(file, `${JSON.stringify({ ...readState(), [name]: { pid, command: readCommand(pid) } })}\n`);
}

export function forgetMachine() {
  rmSync(file, { force: true });
}

function readState() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** After a restart of this computer the process id may belong to another program. */
function findProcess(name) {
  const { pid, command } = readState()[name] ?? {};
  return pid && isAlive(pid) && readCommand(pid) === command ? pid : undefined;
}
