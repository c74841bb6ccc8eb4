import { expect } from '../containers/checklist.mjs';

/** What the manifests ask for, and Podman does. */
export async function checkSecurity(checklist, podman, pods, { stores, services }) {
  const names = [...stores, ...services];
  await checklist.check('every container runs without root, capabilities, new rights or a writable root', () => {
    for (const name of names) {
      const { Config, HostConfig, EffectiveCaps } = podman.inspect(pods.containerOf(name));
      const { spec } = pods.find('Deployment', name).spec.template;
      const { runAsUser, runAsGroup } = spec.securityContext;
      expect(Config.User === `${runAsUser}:${runAsGroup}`, `${name} runs as ${Config.User}.`);
      expect((EffectiveCaps ?? []).length === 0, `${name} has ${EffectiveCaps}.`);
      expect(HostConfig.ReadonlyRootfs, `${name} may write to its root.`);
      expect(HostConfig.SecurityOpt.includes('no-new-privileges'), `${name} may gain rights.`);
    }
  });
  await checklist.check('every container has its limit of memory', () => {
    for (const name of names) {
      const { HostConfig } = podman.inspect(pods.containerOf(name));
      const { limits } = pods.find('Deployment', name).spec.template.spec.containers[0].resources;
      expect(HostConfig.Memory === toBytes(limits.memory), `${name} has ${HostConfig.Memory}, not ${limits.memory}.`);
    }
  });
  await checklist.check('the categories are a file in a folder that is mounted', () => {
    const text = podman.run([
      'exec',
      pods.containerOf('annals-gateway'),
      'cat',
      '/etc/annals/categories/categories.yaml',
    ]);
    expect(text === pods.find('ConfigMap', 'annals-categories').data['categories.yaml'], 'It is another file.');
  });
  await checklist.check('every service is alive by its probe', () => {
    for (const name of services) podman.run(['healthcheck', 'run', pods.containerOf(name)]);
  });
}

/** A service that is asked to end finishes its work and ends with 0. */
export async function checkStop(checklist, podman, pods, names) {
  await checklist.check('every service ends with 0 within its grace period', () => {
    for (const name of names) {
      const container = pods.containerOf(name);
      podman.run(['stop', '--time', '40', container]);
      const { ExitCode } = podman.inspect(container).State;
      expect(ExitCode === 0, `${name} ended with ${ExitCode}:\n${podman.logs(container)}`);
    }
  });
}

function toBytes(quantity) {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity);
  return Number(amount) * (unit === 'Gi' ? 2 ** 30 : 2 ** 20);
}
