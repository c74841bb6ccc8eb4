import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type KubernetesObject, titleOf } from './objects.fixture.ts';

/** Packages with the types and schemas of a group; all other groups are Kubernetes' own. */
const PACKAGES: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'external-secrets.io': '@kubernetes-models/external-secrets',
};

type Model = new (data: object) => { validate(): void };

function moduleOf({ apiVersion }: KubernetesObject): string {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
  return `${PACKAGES[group] ?? 'kubernetes-models'}/${apiVersion}`;
}

/** Throws for a kind without a model: what is not checked must not be shipped. */
async function findModel(object: KubernetesObject): Promise<Model> {
  const models = (await import(moduleOf(object)).catch(() => ({}))) as Record<string, Model>;
  const model = models[object.kind];
  if (!model) throw new Error(`No model of ${object.apiVersion} ${object.kind}: add its package to PACKAGES.`);
  return model;
}

/** Missing fields and wrong values by the schema of the API; unknown fields are found by `findTypeErrors`. */
export async function validate(object: KubernetesObject): Promise<string | undefined> {
  const model = await findModel(object);
  try {
    new model(object).validate();
    return undefined;
  } catch (error) {
    return `${titleOf(object)}: ${(error as Error).message}`;
  }
}

const cache = path.resolve(import.meta.dirname, '../node_modules/.cache');
const tsc = path.resolve(import.meta.dirname, '../../../node_modules/.bin/tsc');

/** What the compiler finds in objects that are written as values of their types: misspelt and unknown fields too. */
export function findTypeErrors(objects: readonly KubernetesObject[]): string[] {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'rendered-'));
  try {
    const files = objects.map((object, index) => {
      writeFileSync(path.join(folder, `object-${index}.ts`), writeTyped(object).join('\n'));
      return `object-${index}.ts`;
    });
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }));
    const { stdout, error } = spawnSync(tsc, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8', cwd: folder });
    if (error) throw error;
    return stdout
      .split('\n')
      .filter((line) => line.includes('error TS'))
      .map((line) => {
        const [, index, lineNumber, message] = /^object-(\d+)\.ts\((\d+),\d+\): (.+)$/.exec(line) ?? [];
        if (index === undefined) return line;
        const object = objects[Number(index)]!;
        return `${titleOf(object)}: ${message}: ${writeTyped(object)[Number(lineNumber) - 1]!.trim()}`;
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One field a line, so that the line of an error says which. */
function writeTyped(object: KubernetesObject): string[] {
  const type = `I${object.kind}`;
  const value = `export default ${JSON.stringify(object, null, 1)} satisfies ${type};`;
  return [`import type { ${type} } from '${moduleOf(object)}';`, ...value.split('\n')];
}

const COMPILER_OPTIONS = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};
