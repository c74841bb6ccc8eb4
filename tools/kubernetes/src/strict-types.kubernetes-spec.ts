import { readdirSync } from 'node:fs';
import path from 'node:path';
import { findTypeErrors, validate } from './models.fixture.ts';
import { find, type KubernetesObject } from './objects.fixture.ts';
import { ALL_RENDERINGS, renderings } from './render.fixture.ts';

const rendered = renderings(...ALL_RENDERINGS);
const folder = path.resolve(import.meta.dirname, '../../../k8s');

/** A copy of an object, changed. */
function change(object: KubernetesObject, edit: (copy: KubernetesObject) => void): KubernetesObject {
  const copy = structuredClone(object);
  edit(copy);
  return copy;
}

describe('the Kubernetes files', () => {
  it('are rendered whole: every overlay and every component', () => {
    const names = ['overlays', 'components'].flatMap((each) => readdirSync(path.join(folder, each)));
    expect([...names, 'base'].toSorted()).toEqual(ALL_RENDERINGS.toSorted());
  });

  it('have the fields of their types, and no others', () => {
    const texts = new Set(
      Object.values(rendered)
        .flat()
        .map((object) => JSON.stringify(object)),
    );
    expect(findTypeErrors([...texts].map((text) => JSON.parse(text) as KubernetesObject))).toEqual([]);
  });

  it.each(Object.entries(rendered))('%s is valid by the schemas of the API', async (_, objects) => {
    expect(objects.length).toBeGreaterThan(30);
    const problems = await Promise.all(objects.map(validate));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it('are refused with a misspelt field, a wrong type or a missing field', async () => {
    const { production } = rendered;
    const gateway = find(production, 'Deployment', 'annals-gateway');
    const scaler = find(production, 'ScaledObject', 'annals-extraction');
    const broken: [field: string, object: KubernetesObject][] = [
      [
        'readOnlyRootFileSystem',
        change(gateway, ({ spec }) => {
          const { securityContext } = spec.template.spec.containers[0];
          securityContext.readOnlyRootFileSystem = securityContext.readOnlyRootFilesystem;
          delete securityContext.readOnlyRootFilesystem;
        }),
      ],
      ['replicas', change(gateway, ({ spec }) => (spec.replicas = 'two'))],
      ['scaleTargetReference', change(scaler, ({ spec }) => (spec.scaleTargetReference = {}))],
      ['thresold', change(scaler, ({ spec }) => (spec.fallback.thresold = 3))],
      [
        'podMetricsEndpoints',
        change(find(production, 'ServiceMonitor', 'annals'), ({ spec }) => (spec.podMetricsEndpoints = [])),
      ],
      ['podSelectors', change(find(production, 'NetworkPolicy', 'annals-dns'), ({ spec }) => (spec.podSelectors = {}))],
    ];
    const errors = findTypeErrors(broken.map(([, object]) => object));
    for (const [field] of broken) expect(errors.filter((error) => error.includes(field))).not.toEqual([]);
    const withoutTarget = change(scaler, ({ spec }) => delete spec.scaleTargetRef);
    expect(await validate(withoutTarget)).toContain('scaleTargetRef');
    expect(await validate(change(gateway, ({ spec }) => (spec.replicas = 'two')))).toContain('replicas');
  });

  it('have no kind that is not checked', async () => {
    const unknown = { apiVersion: 'example.com/v1', kind: 'Unknown', metadata: { name: 'any' } };
    await expect(validate(unknown)).rejects.toThrow('No model of example.com/v1 Unknown');
  });
});
