import path from 'node:path';

/** Not the name of a real deployment on this computer. */
const PROJECT = 'annals-test-containers';

export const OWN_SERVICES = ['gateway', 'extraction', 'persistence', 'tom-insight', 'consolidation-worker'];

/** Longer than a start takes on a busy machine; it only ends what hangs. */
const START_TIMEOUT_S = '300';

/**
 * The containers of docker-compose.yml, under a project name of their own.
 * @param {import('../engine.mjs').Engine} engine
 * @param {Record<string, string>} variables of .env
 */
export function createStack(engine, variables) {
  const settings = { ...variables };
  const file = path.join(engine.repository, 'docker-compose.yml');
  // Not the .env of a real deployment, which may have a model's key.
  const base = ['compose', '--project-name', PROJECT, '--file', file, '--env-file', '/dev/null'];

  // As variables of the process: on no disk.
  const compose = (args) => engine.docker([...base, ...args], { env: settings });
  const containersOf = (service) => {
    const ids = compose(['--profile', '*', 'ps', '--all', '--quiet', ...(service ? [service] : [])]);
    return ids.split('\n').filter(Boolean);
  };
  const stack = {
    engine,
    settings,
    /** Those that are started: all whose images are here. */
    services: [],
    compose,
    tryCompose: (args) => engine.tryDocker([...base, ...args], { env: settings }),

    /** Changes variables of .env for what is started from now on. */
    set: (changed) => Object.assign(settings, changed),

    /** Starts services, from images that exist, and waits until they are healthy. */
    up(services = [], options = []) {
      compose([
        '--profile',
        '*',
        'up',
        '--detach',
        '--no-build',
        '--wait',
        '--wait-timeout',
        START_TIMEOUT_S,
        ...options,
        ...services,
      ]);
    },

    /** What `docker inspect` says of the containers of a service, or of all. */
    inspect(service) {
      const ids = containersOf(service);
      return ids.length === 0 ? [] : JSON.parse(engine.docker(['inspect', ...ids]));
    },

    /** Runs a program of the image of a service, once. */
    runOnce: (service, args) => stack.tryCompose(['run', '--rm', '--no-deps', '--no-TTY', service, ...args]),

    /** Removes containers, networks and volumes. */
    remove: () => compose(['--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '60']),
  };
  return stack;
}

/** Name of the service that a container belongs to. */
export function serviceOf(container) {
  return container.Config.Labels['com.docker.compose.service'];
}
