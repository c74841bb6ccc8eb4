import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listVariables, loadConfig } from '@annals/config';
import { CONSOLIDATION_WORKER_FRAGMENTS } from '@annals/consolidation-worker';
import { EXTRACTION_FRAGMENTS } from '@annals/extraction';
import { GATEWAY_FRAGMENTS } from '@annals/gateway';
import { METRICS } from '@annals/observability';
import { PERSISTENCE_FRAGMENTS } from '@annals/persistence';
import { DISTRIBUTED_FRAGMENTS } from '@annals/runtime';
import { TOM_INSIGHT_FRAGMENTS } from '@annals/tom-insight';
import type { IContainer } from 'kubernetes-models/v1';
import { parse } from 'yaml';
import { find, type KubernetesObject, ofKind, type Service, SERVICES } from './objects.fixture.ts';
import { renderings } from './render.fixture.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** What each service reads when it starts. */
const FRAGMENTS = {
  gateway: [...DISTRIBUTED_FRAGMENTS, ...GATEWAY_FRAGMENTS],
  extraction: [...DISTRIBUTED_FRAGMENTS, ...EXTRACTION_FRAGMENTS],
  persistence: [...DISTRIBUTED_FRAGMENTS, ...PERSISTENCE_FRAGMENTS],
  'tom-insight': [...DISTRIBUTED_FRAGMENTS, ...TOM_INSIGHT_FRAGMENTS],
  'consolidation-worker': [...DISTRIBUTED_FRAGMENTS, ...CONSOLIDATION_WORKER_FRAGMENTS],
} satisfies Record<Service, readonly Parameters<typeof listVariables>[0][number][]>;
const KNOWN = new Set(Object.values(FRAGMENTS).flatMap((fragments) => listVariables(fragments)));

/** From the page that is generated from the configuration. */
const SECRET = new Set(
  [...read('docs/configuration.md').matchAll(/^- `(\w+)`:.*\n.* Secret\.$/gm)].map(([, name]) => name!),
);

const overlays = renderings('local', 'production');
const each = Object.entries(overlays).flatMap(([overlay, objects]) =>
  SERVICES.map((service) => ({ title: `${overlay}: ${service}`, overlay, objects, service })),
);

function containerOf(objects: readonly KubernetesObject[], service: Service): IContainer {
  return find(objects, 'Deployment', `annals-${service}`).spec.template.spec.containers[0] as IContainer;
}

/** The variables that a container gets, and those that its image sets. Secrets are those of the local overlay. */
function environmentOf(objects: readonly KubernetesObject[], service: Service): Record<string, string> {
  const { env = [], envFrom = [] } = containerOf(objects, service);
  const settings = envFrom.map(({ configMapRef }) => find(objects, 'ConfigMap', configMapRef!.name!).data!);
  const values = env.flatMap(({ name, value, valueFrom }) => {
    if (value !== undefined) return [[name, value]];
    const text = secretValues[valueFrom!.secretKeyRef!.key];
    return text === undefined ? [] : [[name, text]];
  });
  return { ...imageEnvironment(service), ...Object.assign({}, ...settings), ...Object.fromEntries(values) };
}

const secretValues = Object.fromEntries(
  ofKind(overlays.local, 'Secret').flatMap(({ data }) =>
    Object.entries(data!).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  ),
) as Record<string, string>;

function imageEnvironment(service: Service): Record<string, string> {
  const stage = read('Dockerfile')
    .split(new RegExp(`^FROM \\w+ AS ${service}\\n`, 'm'))[1]!
    .split('\nFROM ')[0]!;
  const [, assignments] = /^ENV (.+)$/m.exec(stage)!;
  return Object.fromEntries(assignments!.split(' ').map((assignment) => assignment.split('=')));
}

describe('variables', () => {
  it.each(each)('$title starts with them', ({ objects, service }) => {
    expect(() => loadConfig(FRAGMENTS[service], environmentOf(objects, service))).not.toThrow();
  });

  it.each(Object.entries(overlays))('%s sets none that no service reads', (_, objects) => {
    const settings = ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith('annals-settings'));
    expect(Object.keys(settings!.data!).filter((name) => !KNOWN.has(name))).toEqual([]);
    for (const service of SERVICES) {
      const names = containerOf(objects, service).env!.map(({ name }) => name);
      const known = listVariables(FRAGMENTS[service]);
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it.each(each)('$title gets the secrets that it reads, and only those, from Secrets', ({ objects, service }) => {
    const { env, envFrom } = containerOf(objects, service);
    const referenced = env!.filter(({ valueFrom }) => valueFrom).map(({ name }) => name);
    const expected = listVariables(FRAGMENTS[service]).filter((name) => SECRET.has(name));
    expect(referenced.toSorted()).toEqual(expected.toSorted());
    for (const { configMapRef } of envFrom!) {
      const names = Object.keys(find(objects, 'ConfigMap', configMapRef!.name!).data!);
      expect(names.filter((name) => SECRET.has(name))).toEqual([]);
    }
    for (const { name, valueFrom } of env!) if (valueFrom) expect(valueFrom.secretKeyRef!.key).toBe(name);
  });

  it('are the same secrets as docker compose gives, but for those that a service does not read', () => {
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<Service, { environment: Record<string, string> }>;
    };
    for (const service of SERVICES) {
      const ours = containerOf(overlays.production, service).env!.filter(({ valueFrom }) => valueFrom);
      const isRead = (name: string) => SECRET.has(name) && listVariables(FRAGMENTS[service]).includes(name);
      const theirs = Object.keys(services[service].environment).filter(isRead);
      expect([service, ours.map(({ name }) => name).toSorted()]).toEqual([service, theirs.toSorted()]);
    }
  });
});

describe('ports', () => {
  it.each(each)('$title listens on those that its Deployment names', ({ objects, service }) => {
    const environment = environmentOf(objects, service);
    expect(containerOf(objects, service).ports).toEqual([
      { name: 'http', containerPort: Number(environment['ANNALS_HEALTH_PORT'] ?? environment['ANNALS_HTTP_PORT']) },
      { name: 'metrics', containerPort: Number(environment['ANNALS_METRICS_PORT']) },
    ]);
    expect([environment['ANNALS_HTTP_HOST'], environment['ANNALS_METRICS_HOST']]).toEqual(['0.0.0.0', '0.0.0.0']);
  });

  it('of the stores are those that the network policies open', () => {
    const { production } = overlays;
    const portsOf = (name: string) =>
      find(production, 'NetworkPolicy', name).spec.egress.flatMap(({ ports }: { ports: { port: number }[] }) =>
        ports.map(({ port }) => port),
      );
    const portOf = (name: string) => Number(new URL(secretValues[name]!).port);
    expect(portsOf('annals-postgres')).toEqual([portOf('ANNALS_DATABASE_URL')]);
    expect(portsOf('annals-redis')).toEqual([portOf('ANNALS_REDIS_URL')]);
    expect(portsOf('annals-providers')).toEqual([443]);
  });
});

describe('the ServiceMonitor', () => {
  const { production } = overlays;
  const { spec } = find(production, 'ServiceMonitor', 'annals');

  it('finds the metrics of every service', () => {
    for (const service of SERVICES) {
      const { metadata, spec: target } = find(production, 'Service', `annals-${service}`);
      expect(metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(target.ports.map(({ name }: { name: string }) => name)).toContain(spec.endpoints[0].port);
    }
  });

  it('calls its job as the alerts expect it', () => {
    const { metadata } = find(production, 'Service', 'annals-gateway');
    const [, pattern] = /up\{job=~"([^"]+)"\}/.exec(read('infra/prometheus/alerts.yml'))!;
    expect(metadata.labels![spec.jobLabel as string]).toMatch(new RegExp(`^(?:${pattern})$`));
  });

  it('keeps labels of metrics that the operator gives to targets too', () => {
    const given = ['container', 'endpoint', 'instance', 'job', 'namespace', 'pod', 'service'];
    const labels = new Set(Object.values<{ labels: object }>(METRICS).flatMap((metric) => Object.keys(metric.labels)));
    expect(given.filter((label) => labels.has(label))).toEqual(['service']);
    expect(spec.endpoints[0].honorLabels).toBe(true);
  });
});
