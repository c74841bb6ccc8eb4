import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { IContainer } from 'kubernetes-models/v1';
import { containersOf, find, type KubernetesObject, listWorkloads, ofKind, titleOf } from './objects.fixture.ts';
import { renderings } from './render.fixture.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const { base, local, production } = renderings('base', 'local', 'production');
const { version } = JSON.parse(read('package.json')) as { version: string };

interface SecretKey {
  readonly secret: string;
  /** Undefined for the whole Secret. */
  readonly key?: string | undefined;
  readonly isOptional: boolean;
}

function listSecretKeys(objects: readonly KubernetesObject[]): SecretKey[] {
  return listWorkloads(objects).flatMap(({ pod }) => [
    ...containersOf(pod).flatMap(secretKeysOf),
    ...(pod.volumes ?? []).flatMap(({ secret }) => (secret ? [{ secret: secret.secretName!, isOptional: false }] : [])),
  ]);
}

function secretKeysOf({ env = [], envFrom = [] }: IContainer): SecretKey[] {
  return [
    ...envFrom.flatMap(({ secretRef }) =>
      secretRef ? [{ secret: secretRef.name!, isOptional: secretRef.optional ?? false }] : [],
    ),
    ...env.flatMap(({ valueFrom }) => {
      const reference = valueFrom?.secretKeyRef;
      return reference
        ? [{ secret: reference.name!, key: reference.key, isOptional: reference.optional ?? false }]
        : [];
    }),
  ];
}

describe('secrets', () => {
  it('are named in base and in production, and are in neither', () => {
    for (const objects of [base, production]) {
      expect(ofKind(objects, 'Secret')).toEqual([]);
      expect(new Set(listSecretKeys(objects).map(({ secret }) => secret))).toEqual(
        new Set(['annals-keys', 'annals-migration', 'annals-providers', 'annals-stores']),
      );
    }
  });

  it('are in the local overlay, as far as they are required', () => {
    for (const { secret, key, isOptional } of listSecretKeys(local)) {
      if (isOptional) continue;
      const { data } = find(local, 'Secret', secret);
      if (key !== undefined) expect(Object.keys(data!)).toContain(key);
    }
  });

  it('are all explained in the documentation', () => {
    const docs = read('docs/kubernetes.md');
    for (const { secret, key } of listSecretKeys(base)) {
      expect(docs).toContain(`\`${secret}\``);
      if (key !== undefined) expect(docs).toContain(`\`${key}\``);
    }
  });

  it('are made by the external secrets under the names that base uses', () => {
    const external = ofKind(renderings('external-secrets')['external-secrets'], 'ExternalSecret');
    const targets = external.map(({ spec }) => spec.target.name as string);
    expect(targets.toSorted()).toEqual([...new Set(listSecretKeys(base).map(({ secret }) => secret))].toSorted());
  });

  it('of the database owner go to the migration alone', () => {
    const holders = listWorkloads(production).filter(({ object }) =>
      listSecretKeys([object]).some(({ secret }) => secret === 'annals-migration'),
    );
    expect(holders.map(({ object }) => titleOf(object))).toEqual(['Job annals-migrate']);
  });
});

describe('config maps', () => {
  it.each(Object.entries({ local, production }))('%s has those that its pods name', (_, objects) => {
    const names = ofKind(objects, 'ConfigMap').map(({ metadata }) => metadata.name);
    for (const { pod } of listWorkloads(objects)) {
      for (const { configMap } of pod.volumes ?? []) if (configMap) expect(names).toContain(configMap.name);
      for (const { envFrom = [] } of containersOf(pod))
        for (const { configMapRef } of envFrom) if (configMapRef) expect(names).toContain(configMapRef.name);
    }
  });

  it('replace the pods when a setting changes, and not when the categories do', () => {
    const names = ofKind(production, 'ConfigMap').map(({ metadata }) => metadata.name);
    expect(names.filter((name) => /^annals-settings-\w+$/.test(name))).toHaveLength(1);
    expect(names).toContain('annals-categories');
  });

  it('hold the example of the categories file, which gateway and extraction read', () => {
    const { data } = find(production, 'ConfigMap', 'annals-categories');
    expect(data).toEqual({ 'categories.yaml': read('categories.example.yaml') });
    const readers = listWorkloads(production).filter(({ pod }) =>
      pod.containers.some(({ env = [], volumeMounts = [] }) => {
        const file = env.find(({ name }) => name === 'ANNALS_CATEGORIES_FILE')?.value;
        return volumeMounts.some(({ mountPath }) => `${mountPath}/categories.yaml` === file);
      }),
    );
    expect(readers.map(({ object }) => object.metadata.name)).toEqual(['annals-extraction', 'annals-gateway']);
  });

  it('hold every dashboard as it is', () => {
    const folder = 'infra/grafana/dashboards';
    const dashboards = ofKind(production, 'ConfigMap').filter(({ metadata }) => metadata.labels?.['grafana_dashboard']);
    expect(Object.fromEntries(dashboards.flatMap(({ data }) => Object.entries(data!)))).toEqual(
      Object.fromEntries(readdirSync(path.join(root, folder)).map((file) => [file, read(`${folder}/${file}`)])),
    );
    // Longer ones could not be applied by kubectl, which keeps a copy in an annotation.
    for (const { data } of dashboards) expect(JSON.stringify(data).length).toBeLessThan(200_000);
  });
});

describe('images', () => {
  const targets = [...read('Dockerfile').matchAll(/^FROM \w+ AS ([\w-]+)$/gm)].map(([, target]) => target);

  it('are targets of the Dockerfile, in production all of this release', () => {
    const images = listWorkloads(production).flatMap(({ pod }) => containersOf(pod).map(({ image }) => image!));
    for (const image of images) {
      const [, target, tag] = /^registry\.example\.com\/annals\/([\w-]+):(.+)$/.exec(image)!;
      expect(targets).toContain(target);
      expect(tag).toBe(version);
    }
  });

  it('are in the local overlay those of docker compose, ours of this release', () => {
    const names = [...read('docker-compose.yml').matchAll(/^ +image: ([\w./-]+)/gm)].map(([, name]) => name);
    for (const { pod } of listWorkloads(local)) {
      for (const { image } of containersOf(pod)) {
        const [name, tag] = image!.split(':');
        expect(names).toContain(name);
        if (name!.startsWith('annals/')) expect(tag).toBe(version);
        else expect(read('docker-compose.yml')).toContain(`image: ${image}\n`);
      }
    }
  });

  it('run the service that their Deployment is called by', () => {
    for (const { metadata, spec } of ofKind(production, 'Deployment')) {
      expect(spec.template.spec.containers[0].image).toContain(`/${metadata.name.replace('-', '/')}:`);
    }
  });
});
