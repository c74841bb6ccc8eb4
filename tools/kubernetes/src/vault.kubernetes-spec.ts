import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { find, type KubernetesObject, listWorkloads, ofKind, selects } from './objects.fixture.ts';
import { renderAll, renderings } from './render.fixture.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const components = ['vault', 'keda-prometheus', 'monitoring'].map((name) => `../../components/${name}`);
const { whole } = renderAll({ whole: { resources: ['../../base'], components } });
const { vault: objects } = renderings('vault');

function deploymentOf(name: string) {
  const { spec } = find(objects, 'Deployment', name);
  const pod = spec.template.spec as IPodSpec;
  return { spec, pod, container: pod.containers[0] as IContainer };
}
const valueOf = ({ env = [] }: IContainer, variable: string) => env.find(({ name }) => name === variable)?.value;

describe('the vault in a cluster', () => {
  it('is written by one pod, which has left the volume before its successor starts', () => {
    const { spec } = deploymentOf('annals-vault');
    expect([spec.replicas, spec.strategy]).toEqual([1, { type: 'Recreate' }]);
    const claim = find(objects, 'PersistentVolumeClaim', 'annals-vault');
    expect(claim.spec.accessModes).toEqual(['ReadWriteOnce']);
  });

  it('is not scaled, not even to zero', () => {
    const scaled = [...ofKind(whole, 'ScaledObject'), ...ofKind(whole, 'HorizontalPodAutoscaler')];
    expect(scaled.length).toBeGreaterThan(0);
    expect(scaled.map(({ spec }) => spec.scaleTargetRef.name)).not.toContain('annals-vault');
    expect(find(whole, 'Deployment', 'annals-vault').spec.replicas).toBe(1);
  });

  it('is the service of consolidation-worker, with the folder and the volume', () => {
    const [writer, other] = [deploymentOf('annals-vault'), deploymentOf('annals-consolidation-worker')];
    expect(writer.container.image).toBe(other.container.image);
    const folder = valueOf(writer.container, 'ANNALS_VAULT_PATH')!;
    const mount = writer.container.volumeMounts!.find(({ mountPath }) => mountPath === folder)!;
    const volume = writer.pod.volumes!.find(({ name }) => name === mount.name)!;
    expect([mount.readOnly, volume.persistentVolumeClaim]).toEqual([undefined, { claimName: 'annals-vault' }]);
    // The folder that the image gives to its user, for a volume that takes over who it belongs to.
    expect(readFileSync(path.join(root, 'Dockerfile'), 'utf8')).toContain(`/vault ${folder}/\n`);
    const names = (container: IContainer) => container.env!.map(({ name }) => name).toSorted();
    expect(names(writer.container)).toEqual([...names(other.container), 'ANNALS_VAULT_PATH'].toSorted());
    expect(names(writer.container)).not.toContain('ANNALS_MINDS');
  });

  it('is in no other pod', () => {
    const writers = listWorkloads(objects).filter(({ pod }) =>
      pod.containers.some((container) => valueOf(container, 'ANNALS_VAULT_PATH')),
    );
    expect(writers.map(({ object }) => object.metadata.name)).toEqual(['annals-vault']);
  });

  it('fits the restricted profile, and may write its volume as the group of its user', () => {
    const { pod, container } = deploymentOf('annals-vault');
    const { runAsNonRoot, runAsGroup, fsGroup } = pod.securityContext!;
    expect([runAsNonRoot, fsGroup]).toEqual([true, runAsGroup]);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(Object.keys(container.resources!.limits!)).toEqual(['memory']);
  });

  it('reaches its stores and providers, and is scraped, as consolidation-worker is', () => {
    const labels = (name: string) => find(objects, 'Deployment', name).spec.template.metadata.labels;
    const policiesOf = (name: string) =>
      ofKind(objects, 'NetworkPolicy')
        .filter(({ spec }) => selects(spec.podSelector, labels(name)))
        .map(({ metadata }) => metadata.name);
    expect(policiesOf('annals-vault')).toEqual(policiesOf('annals-consolidation-worker'));
    const [monitor] = ofKind(whole, 'ServiceMonitor');
    const service = find(whole, 'Service', 'annals-vault');
    expect(selects(monitor!.spec.selector, service.metadata.labels!)).toBe(true);
  });

  it('has a Service, a PodDisruptionBudget and a ServiceAccount that name its pods alone', () => {
    const pods = listWorkloads(objects);
    const selected = (object: KubernetesObject) => {
      const selector = object.kind === 'Service' ? { matchLabels: object.spec.selector } : object.spec.selector;
      return pods.filter(({ labels }) => selects(selector, labels)).map((pod) => pod.object.metadata.name);
    };
    for (const kind of ['Service', 'PodDisruptionBudget'])
      expect(selected(find(objects, kind, 'annals-vault'))).toEqual(['annals-vault']);
    expect(deploymentOf('annals-vault').pod.serviceAccountName).toBe('annals-vault');
    expect(find(objects, 'ServiceAccount', 'annals-vault').automountServiceAccountToken).toBe(false);
  });
});
