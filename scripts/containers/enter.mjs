#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { commandInMachine, startMachine, stopMachine } from './machine/machine.mjs';
import { findMachine } from './machine/state.mjs';
import { NO_ENGINE, parseOptions } from './options.mjs';
import { report } from './report.mjs';

// `enter.mjs --disposable-machine [-- command …]` starts the Debian with Docker and Podman that test:containers uses, and
// runs a command in it; `enter.mjs -- command …` needs it running; `enter.mjs stop` ends it.
try {
  process.exitCode = process.argv[2] === 'stop' ? await stop() : await enter(parseOptions(process.argv.slice(2)));
} catch (error) {
  report(error.message);
  process.exitCode = 1;
}

async function stop() {
  await stopMachine();
  report('stopped');
  return 0;
}

async function enter({ mayBuildMachine, rest }) {
  if (mayBuildMachine) await startMachine();
  else if (!findMachine()) throw new Error(NO_ENGINE);
  if (rest.length === 0) return 0;
  return spawnSync(...commandInMachine(rest[0], rest.slice(1)), { stdio: 'inherit' }).status ?? 1;
}
