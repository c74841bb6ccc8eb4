#!/usr/bin/env node
import { spawn } from 'node:child_process';
import path from 'node:path';
import { hasDocker } from '../services/docker.mjs';
import { commandInNetwork, startMachine, stopMachine } from './machine/machine.mjs';
import { NO_ENGINE, parseOptions } from './options.mjs';
import { report } from './report.mjs';

// `npm run test:containers [-- --disposable-machine] [--keep]`: builds the images, runs docker-compose.yml and checks both
// (docs/decisions/0068-images-are-built-and-run-by-a-test.md).
const checks = path.join(import.meta.dirname, 'run-checks.mjs');

try {
  process.exitCode = await main(parseOptions(process.argv.slice(2)));
} catch (error) {
  report(error.message);
  process.exitCode = 1;
}

async function main({ mayBuildMachine, keep }) {
  if (hasDocker()) return run(process.execPath, [checks]);
  if (!mayBuildMachine) throw new Error(NO_ENGINE);
  await startMachine();
  try {
    return await run(...commandInNetwork(process.execPath, [checks, 'machine']));
  } finally {
    if (!keep) await stopMachine();
  }
}

/** An interrupt reaches the child, which removes its containers; this process waits for it. */
function run(command, args) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
