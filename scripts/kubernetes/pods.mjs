import { expect } from '../containers/checklist.mjs';
import { waitUntil } from '../containers/stack/conversation.mjs';

/** A start that fails so often does not succeed later. */
const MAX_RESTARTS = 5;

/**
 * Plays the workloads of an overlay one by one. What a cluster does with Services, Podman does not: each pod gets the name
 * of the Service that selects it.
 * @param {ReturnType<typeof import('./podman.mjs').createPodman>} podman
 * @param {object[]} objects of the overlay
 */
export function createPods(podman, objects) {
  const ofKind = (kind) => objects.filter((object) => object.kind === kind);
  const find = (kind, name) => ofKind(kind).find(({ metadata }) => metadata.name === name);
  const configMaps = ofKind('ConfigMap');
  const played = [];

  const serviceOf = (labels) =>
    ofKind('Service').find(({ spec }) => Object.entries(spec.selector).every(([key, value]) => labels[key] === value));

  return {
    find,

    /** Secrets and volumes, before the pods that name them. */
    playShared() {
      const shared = [...ofKind('Secret'), ...ofKind('PersistentVolumeClaim')];
      podman.play(shared);
      played.push(shared);
    },

    play(workload, options = {}) {
      const own = withOwnVolumes(workload);
      const alias = serviceOf(own.spec.template.metadata?.labels ?? {})?.metadata.name;
      const documents = [...configMaps, own];
      played.push(documents);
      podman.play(documents, { alias, ...options });
    },

    /** Runs the readiness probe until it succeeds, as a kubelet does: Podman ignores it. */
    async waitReady(name) {
      const container = containerOf(name);
      const { command } = find('Deployment', name).spec.template.spec.containers[0].readinessProbe.exec;
      await waitUntil(`${container} is ready`, () => isReady(podman, container, command));
    },

    /** The container of a workload with one container. */
    containerOf,

    /** Waits until the container of a Job has ended. @returns what it wrote */
    async waitComplete(name) {
      const container = containerOf(name);
      const { ExitCode } = await waitUntil(`${container} has ended`, () => endOf(podman, container));
      const output = podman.logs(container);
      expect(ExitCode === 0, `${container} ended with ${ExitCode}:\n${output}`);
      return output.trim().split('\n');
    },

    /** Ends everything, the last that was started first. */
    remove() {
      for (const documents of played.splice(0).toReversed()) podman.down(documents);
      // Their files are in volumes of their names, which a next run would find.
      for (const { metadata } of [...configMaps, ...ofKind('Secret')])
        podman.run(['volume', 'rm', '--force', metadata.name]);
    },
  };

  function containerOf(name) {
    const workload = [...ofKind('Deployment'), ...ofKind('Job')].find(({ metadata }) => metadata.name === name);
    return `${name}-pod-${workload?.spec.template.spec.containers[0].name ?? 'annals'}`;
  }
}

/** Podman makes a volume of the same name, and so one for all pods, of an emptyDir. */
function withOwnVolumes(workload) {
  const own = structuredClone(workload);
  const { spec } = own.spec.template;
  const rename = (name) => `${workload.metadata.name}-${name}`;
  const renamed = new Set();
  for (const volume of spec.volumes ?? []) {
    if (!volume.emptyDir) continue;
    renamed.add(volume.name);
    volume.name = rename(volume.name);
  }
  for (const { volumeMounts = [] } of spec.containers)
    for (const mount of volumeMounts) if (renamed.has(mount.name)) mount.name = rename(mount.name);
  return own;
}

function isReady(podman, container, command) {
  try {
    podman.run(['exec', container, ...command]);
    return true;
  } catch {
    const { State, RestartCount } = podman.inspect(container);
    const isGone = !State.Running || RestartCount > MAX_RESTARTS;
    expect(!isGone, `${container} does not stay:\n${podman.logs(container)}`);
    return undefined;
  }
}

function endOf(podman, container) {
  const { State } = podman.inspect(container);
  return State.Running ? undefined : State;
}
