import { stringify } from 'yaml';

const NETWORK = 'annals-kubernetes';
// Root of the machine lacks the right to raise limits.
const CONFIG = '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n';
// crun of Debian 13 works with the first version of cgroups, and Podman warns of it in every answer.
const ENVIRONMENT = ['env', 'PODMAN_IGNORE_CGROUPSV1_WARNING=1', 'podman'];

/**
 * Podman in the machine, as far as it takes the place of a cluster.
 * @param {import('../containers/engine.mjs').Engine} engine
 */
export function createPodman(engine) {
  const podman = (args, options) => engine.run(ENVIRONMENT[0], [...ENVIRONMENT.slice(1), ...args], options);

  return {
    run: podman,
    version: () => podman(['version', '--format', '{{.Client.Version}}']).trim(),

    prepare() {
      engine.run('sh', ['-c', 'mkdir -p /etc/containers && cat > /etc/containers/containers.conf'], { input: CONFIG });
      podman(['network', 'create', '--ignore', NETWORK]);
      // Docker drops what it does not forward itself, between the pods of one bridge too.
      for (const direction of ['--in-interface', '--out-interface'])
        engine.run('iptables', ['--insert', 'DOCKER-USER', direction, 'podman+', '--jump', 'ACCEPT']);
    },

    /** Hands an image of Docker to Podman, which keeps its own and may call it after another registry. */
    takeFromDocker(image) {
      const loaded = engine.run('sh', ['-c', `docker save ${image} | ${ENVIRONMENT.join(' ')} load --quiet`]);
      podman(['tag', loaded.trim().split(' ').at(-1), `localhost/${image}`]);
    },

    /** @param {{ alias?: string, publish?: string }} options alias: a name by which other pods reach the pod */
    play(objects, { alias, publish } = {}) {
      const network = alias ? `${NETWORK}:alias=${alias}` : NETWORK;
      const options = ['--network', network, ...(publish ? ['--publish', publish] : [])];
      podman(['kube', 'play', ...options, '-'], { input: toYaml(objects) });
    },

    /** Ends what `play` started, with its grace period. */
    down: (objects) => podman(['kube', 'down', '--force', '-'], { input: toYaml(objects) }),

    inspect: (container) => JSON.parse(podman(['inspect', '--type', 'container', container]))[0],
    /** Both of its outputs. */
    logs: (container) => engine.run('sh', ['-c', `${ENVIRONMENT.join(' ')} logs ${container} 2>&1`]),
    removeNetwork: () => podman(['network', 'rm', '--force', NETWORK]),
  };
}

function toYaml(objects) {
  return objects.map((object) => stringify(object)).join('---\n');
}
