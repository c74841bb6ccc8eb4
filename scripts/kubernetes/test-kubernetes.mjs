#!/usr/bin/env node
import { spawn } from 'node:child_process';
import path from 'node:path';
import { commandInNetwork, startMachine, stopMachine } from '../containers/machine/machine.mjs';
import { parseOptions } from '../containers/options.mjs';
import { report } from '../containers/report.mjs';

// `npm run test:kubernetes -- --disposable-machine [--keep]`: builds the images, and runs the overlay k8s/overlays/local with
// Podman (docs/kubernetes.md#what-was-run-and-what-only-a-real-cluster-can-show).
const checks = path.join(import.meta.dirname, 'run-checks.mjs');

const NO_MACHINE =
  'As root on a Linux machine that may be thrown away, add `-- --disposable-machine` to run a Debian with Podman in ' +
  '.containers (0.9 GB, with all rights of root).';

try {
  process.exitCode = await main(parseOptions(process.argv.slice(2)));
} catch (error) {
  report(error.message);
  process.exitCode = 1;
}

async function main({ mayBuildMachine, keep }) {
  if (!mayBuildMachine) throw new Error(NO_MACHINE);
  await startMachine();
  try {
    return await run(...commandInNetwork(process.execPath, [checks]));
  } finally {
    if (!keep) await stopMachine();
  }
}

/** An interrupt reaches the child, which removes its pods; this process waits for it. */
function run(command, args) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
