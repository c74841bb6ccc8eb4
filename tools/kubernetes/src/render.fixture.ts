import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from './objects.fixture.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../../scripts/services/render-kubernetes.mjs');

/** A kustomization in the folder k8s/rendered/NAME. */
export interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly object[];
}

/** The objects of each kustomization. Throws with kustomize's answer when it refuses one. */
export function renderAll<Name extends string>(
  kustomizations: Readonly<Record<Name, Kustomization>>,
): Readonly<Record<Name, readonly KubernetesObject[]>> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], {
    input: JSON.stringify(kustomizations),
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  if (status !== 0) throw new Error(`kustomize could not be run: ${stderr}`);
  const rendered = JSON.parse(stdout) as Record<Name, string | { error: string }>;
  return mapValues(rendered, (text, name) => {
    if (typeof text !== 'string') throw new Error(`${name}: ${text.error}`);
    return parseAllDocuments(text).map((document) => unwrapSecret(document.toJS() as KubernetesObject));
  });
}

function mapValues<Name extends string, From, To>(values: Record<Name, From>, map: (value: From, name: Name) => To) {
  const names = Object.keys(values) as Name[];
  return Object.fromEntries(names.map((name) => [name, map(values[name], name)])) as unknown as Record<Name, To>;
}

/** kustomize wraps long base64 into lines, which Kubernetes accepts and its schema does not. */
function unwrapSecret(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'Secret' || !object.data) return object;
  const data = Object.entries(object.data).map(([key, value]) => [key, value.replaceAll('\n', '')]);
  return { ...object, data: Object.fromEntries(data) as Record<string, string> };
}

const BASE = { resources: ['../../base'] };
const component = (name: string) => ({ ...BASE, components: [`../../components/${name}`] });

const RENDERINGS = {
  base: BASE,
  local: { resources: ['../../overlays/local'] },
  production: { resources: ['../../overlays/production'] },
  categories: component('categories'),
  'external-secrets': component('external-secrets'),
  'gateway-api': component('gateway-api'),
  'gateway-autoscaling': component('gateway-autoscaling'),
  ingress: component('ingress'),
  'keda-postgresql': component('keda-postgresql'),
  'keda-prometheus': component('keda-prometheus'),
  monitoring: component('monitoring'),
  vault: component('vault'),
};

type Rendering = keyof typeof RENDERINGS;
const cache = new Map<Rendering, readonly KubernetesObject[]>();

/** Overlays, and components on top of the base, each rendered once in a process. */
export function renderings<Name extends Rendering>(
  ...names: readonly Name[]
): Readonly<Record<Name, readonly KubernetesObject[]>> {
  const missing = names.filter((name) => !cache.has(name));
  const rendered = renderAll(Object.fromEntries(missing.map((name) => [name, RENDERINGS[name]])));
  for (const name of missing) cache.set(name, rendered[name]!);
  return Object.fromEntries(names.map((name) => [name, cache.get(name)])) as Record<Name, readonly KubernetesObject[]>;
}

export const ALL_RENDERINGS = Object.keys(RENDERINGS) as Rendering[];
