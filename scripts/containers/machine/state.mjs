import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, readCommand } from '../../services/processes.mjs';
import { inContainers } from '../paths.mjs';

const file = inContainers('machine.json');

/** Process id of the running machine's first process, if it runs. */
export function findMachine() {
  return findProcess('pid', 'sleep infinity');
}

/** Process id of the program that connects the machine's network, if it runs. */
export function findNetwork() {
  return findProcess('network', 'pasta');
}

/** @param {{ pid?: number, network?: number }} processes */
export function saveMachine(processes) {
  writeFileSync(file, `${JSON.stringify({ ...readState(), ...processes })}\n`);
}

function readState() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** After a restart of this computer the process id may belong to another program. */
function findProcess(name, command) {
  const pid = readState()[name];
  return pid && isAlive(pid) && readCommand(pid).startsWith(command) ? pid : undefined;
}

export function forgetMachine() {
  rmSync(file, { force: true });
}
