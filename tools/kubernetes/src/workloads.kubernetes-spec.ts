import { loadConfig } from '@annals/config';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { containersOf, find, listWorkloads, ofKind, selects, SERVICES, titleOf } from './objects.fixture.ts';
import { renderings } from './render.fixture.ts';

const overlays = renderings('local', 'production');
const workloads = Object.entries(overlays).flatMap(([overlay, objects]) =>
  listWorkloads(objects).map((workload) => ({
    title: `${overlay}: ${titleOf(workload.object)}`,
    objects,
    ...workload,
  })),
);
const deployments = Object.entries(overlays).flatMap(([overlay, objects]) =>
  SERVICES.map((service) => ({ title: `${overlay}: ${service}`, overlay, objects, service })),
);

/** Kubernetes' quantities of memory, in bytes. */
function toBytes(quantity: unknown): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(String(quantity)) ?? [];
  if (!amount) throw new Error(`${String(quantity)} is no amount of memory in Mi or Gi.`);
  return Number(amount) * (unit === 'Gi' ? 2 ** 30 : 2 ** 20);
}

function deploymentOf(objects: (typeof deployments)[number]['objects'], service: string) {
  const { spec } = find(objects, 'Deployment', `annals-${service}`);
  const pod = spec.template.spec as IPodSpec;
  return { spec, pod, container: pod.containers[0] as IContainer };
}

describe('pods', () => {
  it.each(workloads)('$title fits the restricted profile', ({ pod, objects }) => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    // A number: a kubelet cannot tell whether the name of a user is that of root.
    expect(pod.securityContext!.runAsUser).toBeGreaterThan(0);
    expect(pod).not.toMatchObject({ hostNetwork: true });
    expect([pod.hostPID, pod.hostIPC]).toEqual([undefined, undefined]);
    expect((pod.volumes ?? []).filter(({ hostPath }) => hostPath)).toEqual([]);
    for (const container of containersOf(pod)) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.imagePullPolicy).toBe('IfNotPresent');
    }
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    const account = find(objects, 'ServiceAccount', pod.serviceAccountName!);
    expect(account.automountServiceAccountToken).toBe(false);
  });

  it.each(workloads)('$title asks for CPU and memory, and has a limit of memory only', ({ pod }) => {
    for (const { resources } of containersOf(pod)) {
      expect(Object.keys(resources!.requests!).toSorted()).toEqual(['cpu', 'memory']);
      // A limit of CPU only makes a process slower that the node has time for.
      expect(Object.keys(resources!.limits!)).toEqual(['memory']);
      expect(toBytes(resources!.limits!['memory'])).toBeGreaterThanOrEqual(toBytes(resources!.requests!['memory']));
    }
  });

  it.each(workloads)('$title writes to /tmp and to mounted volumes only', ({ pod }) => {
    const temporary = (pod.volumes ?? []).filter(({ emptyDir }) => emptyDir).map(({ name }) => name);
    for (const { volumeMounts } of containersOf(pod)) {
      expect(temporary).toContain(volumeMounts!.find(({ mountPath }) => mountPath === '/tmp')?.name);
      // kubelets do not update what is mounted by subPath.
      expect(volumeMounts!.filter(({ subPath }) => subPath)).toEqual([]);
    }
  });
});

describe('services', () => {
  it.each(deployments)('$title has all that it needs', ({ objects, service }) => {
    for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget', 'ServiceAccount']) {
      expect(find(objects, kind, `annals-${service}`).metadata.labels).toMatchObject({
        'app.kubernetes.io/name': service,
        'app.kubernetes.io/part-of': 'annals',
      });
    }
    expect(find(objects, 'PodDisruptionBudget', `annals-${service}`).spec).toMatchObject({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    });
  });

  it.each(deployments)('$title replaces its pods one by one, a new one first, spread over zones and nodes', (each) => {
    const { spec, pod } = deploymentOf(each.objects, each.service);
    expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    const constraints = pod.topologySpreadConstraints!;
    expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    for (const { labelSelector } of constraints) expect(labelSelector).toEqual(spec.selector);
  });

  it.each(deployments)('$title lives without its stores, and is ready with them', ({ objects, service, overlay }) => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = deploymentOf(objects, service).container;
    const asked = (probe: typeof readinessProbe) =>
      overlay === 'local' ? probe!.exec!.command!.at(-1) : [probe!.httpGet!.path, probe!.httpGet!.port];
    const expected = (state: string) => (overlay === 'local' ? state : [`/health/${state}`, 'http']);
    expect([asked(startupProbe), asked(livenessProbe)]).toEqual([expected('live'), expected('live')]);
    expect(asked(readinessProbe)).toEqual(expected('ready'));
    expect(ports!.map(({ name }) => name)).toEqual(['http', 'metrics']);
    // Each check of the readiness has two seconds.
    expect(readinessProbe!.timeoutSeconds).toBeGreaterThan(2);
  });

  it.each(deployments)('$title has the time that its shutdown takes', ({ objects, service }) => {
    const { pod, container } = deploymentOf(objects, service);
    const { shutdownTimeoutMs } = loadConfig(['lifecycle'], {}).lifecycle;
    const settings = ofKind(objects, 'ConfigMap').flatMap(({ data }) => Object.keys(data!));
    expect(settings).not.toContain('ANNALS_SHUTDOWN_TIMEOUT_MS');
    const waitSeconds = Number(container.lifecycle?.preStop?.exec?.command?.at(-1) ?? 0);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(waitSeconds + shutdownTimeoutMs / 1000);
    // Only requests go on arriving after a pod has begun to end.
    expect(waitSeconds > 0).toBe(service === 'gateway');
  });
});

describe('selectors', () => {
  it.each(workloads)('$title may resolve names and reach what it needs, and nothing else', ({ objects, labels }) => {
    const policies = ofKind(objects, 'NetworkPolicy').filter(({ spec }) => selects(spec.podSelector, labels));
    const names = policies.map(({ metadata }) => metadata.name.replace('annals-', ''));
    expect(names).toEqual(expect.arrayContaining(['default-deny', 'dns']));
    expect(names.filter((name) => name !== 'default-deny' && name !== 'dns').toSorted()).toEqual(
      ALLOWED[labels['app.kubernetes.io/name']!],
    );
  });

  it.each(Object.entries(overlays))('%s: each selects pods that exist', (_, objects) => {
    const pods = listWorkloads(objects);
    for (const kind of ['Service', 'PodDisruptionBudget', 'NetworkPolicy']) {
      for (const object of ofKind(objects, kind)) {
        const selector = object.spec.podSelector ?? object.spec.selector;
        const selected = pods.filter(({ labels }) =>
          selects(kind === 'Service' ? { matchLabels: selector } : selector, labels),
        );
        if (kind === 'NetworkPolicy') expect([titleOf(object), selected.length > 0]).toEqual([titleOf(object), true]);
        else expect(selected.map((pod) => pod.object.metadata.name)).toEqual([object.metadata.name]);
        if (kind === 'Service') expectPorts(object.spec.ports, selected[0]!.pod);
      }
    }
  });

  function expectPorts(ports: readonly { targetPort: string }[], pod: IPodSpec): void {
    const named = containersOf(pod).flatMap((container) => (container.ports ?? []).map(({ name }) => name));
    for (const { targetPort } of ports) expect(named).toContain(targetPort);
  }
});

const WORKER = ['metrics', 'postgres', 'providers', 'redis'];
/** Policies beside default-deny and dns, by the name of the pods. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  gateway: ['gateway', ...WORKER],
  extraction: WORKER,
  persistence: WORKER,
  'tom-insight': WORKER,
  'consolidation-worker': WORKER,
  doctor: ['postgres', 'providers', 'redis'],
  migrate: ['postgres'],
  postgres: ['local-postgres'],
  valkey: ['local-valkey'],
};
