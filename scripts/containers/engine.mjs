import { spawn, spawnSync } from 'node:child_process';
import { commandInMachine, repositoryInMachine } from './machine/machine.mjs';
import { repository } from './paths.mjs';

/**
 * A Docker engine: the one of this computer, or the one in the machine.
 * @typedef {object} Engine
 * @property {string} title
 * @property {boolean} isMachine
 * @property {string} repository path of the repository where the engine's commands run
 * @property {(args: string[], options?: RunOptions) => string} docker runs `docker`, and throws with its output when it fails
 * @property {(args: string[], options?: RunOptions) => { status: number, output: string }} tryDocker
 * @property {(command: string, args: string[]) => string} run any program beside the engine
 * @property {(args: string[], options?: RunOptions) => import('node:child_process').ChildProcess} spawnDocker
 *
 * @typedef {{ input?: string, env?: Record<string, string>, showOutput?: boolean }} RunOptions
 */

/** @returns {Engine} */
export function hostEngine() {
  return createEngine({ title: 'Docker', isMachine: false, repository, wrap: (command, args) => [command, args] });
}

/** @returns {Engine} */
export function machineEngine() {
  return createEngine({
    title: 'Docker in a Debian 13 of its own',
    isMachine: true,
    repository: repositoryInMachine,
    wrap: commandInMachine,
  });
}

function createEngine({ wrap, ...engine }) {
  const tryRun = (command, args, { input, env = {}, showOutput = false } = {}) => {
    const result = spawnSync(...wrap(command, args), {
      encoding: 'utf8',
      input,
      env: { ...process.env, ...env },
      maxBuffer: 256e6,
      stdio: [
        input === undefined ? 'ignore' : 'pipe',
        showOutput ? 'inherit' : 'pipe',
        showOutput ? 'inherit' : 'pipe',
      ],
    });
    return { status: result.status ?? 1, stdout: result.stdout ?? '', stderr: result.stderr ?? '' };
  };
  const run = (command, args, options) => {
    const { status, stdout, stderr } = tryRun(command, args, options);
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${tail(`${stdout}\n${stderr}`)}`);
    return stdout;
  };
  return {
    ...engine,
    run,
    docker: (args, options) => run('docker', args, options),
    tryDocker: (args, options) => {
      const { status, stdout, stderr } = tryRun('docker', args, options);
      return { status, output: `${stdout}${stderr}` };
    },
    spawnDocker: (args, { env = {} } = {}) =>
      spawn(...wrap('docker', args), { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }),
  };
}

function tail(text) {
  return text.trim().split('\n').slice(-30).join('\n');
}
