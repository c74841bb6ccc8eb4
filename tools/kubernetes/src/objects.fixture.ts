import type { IPodSpec, IContainer, IPodTemplateSpec } from 'kubernetes-models/v1';

/** What every object has. Its other fields are checked by its model first, in `strict-types.kubernetes-spec.ts`. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
  // oxlint-disable-next-line no-explicit-any -- fields of some thirty kinds
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
  readonly automountServiceAccountToken?: boolean;
}

export type Labels = Readonly<Record<string, string>>;

/** The services, by the suffix of their names. */
export const SERVICES = ['gateway', 'extraction', 'persistence', 'tom-insight', 'consolidation-worker'] as const;
export type Service = (typeof SERVICES)[number];

export const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name}`;

export function ofKind(objects: readonly KubernetesObject[], kind: string): KubernetesObject[] {
  return objects.filter((object) => object.kind === kind);
}

export function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

/** The pods that an object starts; undefined for one that starts none. */
function podTemplateOf({ kind, spec }: KubernetesObject): IPodTemplateSpec | undefined {
  if (kind === 'Deployment' || kind === 'Job') return spec.template as IPodTemplateSpec;
  return kind === 'CronJob' ? (spec.jobTemplate.spec.template as IPodTemplateSpec) : undefined;
}

/** Objects that start pods, with their pods. */
export function listWorkloads(objects: readonly KubernetesObject[]) {
  return objects.flatMap((object) => {
    const template = podTemplateOf(object);
    return template ? [{ object, labels: template.metadata?.labels ?? {}, pod: template.spec! }] : [];
  });
}

export function containersOf(pod: IPodSpec): readonly IContainer[] {
  return [...(pod.initContainers ?? []), ...pod.containers];
}

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`Selectors with ${operator} are not understood here.`);
      return values.includes(labels[key] ?? '');
    })
  );
}
