import { loadConfig } from '@annals/config';
import { ConsolidationWorkerModule } from '@annals/consolidation-worker';
import { WORK_KINDS } from '@annals/contracts';
import { ExtractionModule } from '@annals/extraction';
import { METRICS } from '@annals/observability';
import { PersistenceModule } from '@annals/persistence';
import { TomInsightModule } from '@annals/tom-insight';
import { parser } from '@prometheus-io/lezer-promql';
import { find, type KubernetesObject, ofKind, titleOf } from './objects.fixture.ts';
import { renderAll, renderings } from './render.fixture.ts';

const rendered = renderings('production', 'keda-prometheus', 'keda-postgresql', 'gateway-autoscaling', 'local', 'base');
const WORKERS = ['extraction', 'persistence', 'tom-insight', 'consolidation-worker'] as const;

interface Trigger {
  readonly type: string;
  readonly name: string;
  readonly metricType: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Deployments that a scaler sets the replicas of, once for each scaler. */
function listTargets(objects: readonly KubernetesObject[]): string[] {
  return [...ofKind(objects, 'ScaledObject'), ...ofKind(objects, 'HorizontalPodAutoscaler')].map(
    ({ spec }) => spec.scaleTargetRef.name as string,
  );
}

/** The kinds of work that a service does. */
function kindsOf(service: (typeof WORKERS)[number]): readonly string[] {
  if (service === 'extraction') return ExtractionModule.consumes;
  if (service === 'persistence') return PersistenceModule.consumes;
  const config = loadConfig(['minds', 'vault'], {});
  return (service === 'tom-insight' ? TomInsightModule : ConsolidationWorkerModule).consumes(config);
}

function triggersOf(variant: 'keda-prometheus' | 'keda-postgresql', service: string): readonly Trigger[] {
  return find(rendered[variant], 'ScaledObject', `annals-${service}`).spec.triggers as Trigger[];
}

const byWorker = WORKERS.map((service) => ({ service }));

describe('scalers', () => {
  it.each(Object.entries(rendered))(
    '%s: there is one at most for a Deployment, which has no replicas then',
    (_, objects) => {
      const targets = listTargets(objects);
      expect(new Set(targets).size).toBe(targets.length);
      for (const deployment of ofKind(objects, 'Deployment')) {
        const isScaled = targets.includes(deployment.metadata.name);
        expect([titleOf(deployment), 'replicas' in deployment.spec]).toEqual([titleOf(deployment), !isScaled]);
      }
      for (const target of targets) expect(find(objects, 'Deployment', target)).toBeDefined();
    },
  );

  it('cannot be combined: both variants of KEDA at once are refused', () => {
    const both = {
      resources: ['../../base'],
      components: ['keda-prometheus', 'keda-postgresql'].map((name) => `../../components/${name}`),
    };
    expect(() => renderAll({ both })).toThrow('ScaledObject');
  });

  it('of production are one for each service', () => {
    expect(listTargets(rendered.production).toSorted()).toEqual(
      [...WORKERS, 'gateway'].map((service) => `annals-${service}`).toSorted(),
    );
  });

  it('scale the gateway alone by CPU', () => {
    const scalers = ofKind(rendered.production, 'HorizontalPodAutoscaler');
    expect(scalers.map(({ spec }) => spec.scaleTargetRef.name)).toEqual(['annals-gateway']);
    const types = WORKERS.flatMap((service) => triggersOf('keda-prometheus', service)).map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['prometheus']));
  });
});

describe('KEDA', () => {
  it.each(byWorker)(
    'scales $service within the same bounds by both variants, and by the same measures',
    ({ service }) => {
      const [prometheus, postgresql] = (['keda-prometheus', 'keda-postgresql'] as const).map((variant) => {
        const { triggers, ...bounds } = find(rendered[variant], 'ScaledObject', `annals-${service}`).spec;
        const measures = (triggers as Trigger[]).map(({ name, metadata }) => [
          name,
          metadata['threshold'] ?? metadata['targetQueryValue'],
        ]);
        return { bounds, measures };
      });
      expect(postgresql).toEqual(prometheus);
    },
  );

  it.each(byWorker)('never has fewer of $service while it cannot measure', ({ service }) => {
    const { spec } = find(rendered['keda-prometheus'], 'ScaledObject', `annals-${service}`);
    const base = find(rendered.base, 'Deployment', `annals-${service}`).spec.replicas as number;
    expect(spec.minReplicaCount).toBe(base);
    expect(spec.maxReplicaCount).toBeGreaterThan(base);
    expect(spec.fallback.behavior).toBe('currentReplicasIfHigher');
    expect(spec.fallback.replicas).toBeGreaterThanOrEqual(base);
    expect(spec.fallback.replicas).toBeLessThanOrEqual(spec.maxReplicaCount);
    for (const { metadata, metricType } of triggersOf('keda-prometheus', service)) {
      // With the default, no answer counts as no work.
      expect(metadata['ignoreNullValues']).toBe('false');
      // KEDA has a fallback for no other type.
      expect(metricType).toBe('AverageValue');
    }
  });

  it.each(byWorker)('scales $service by the age of every kind of its work', ({ service }) => {
    const kinds = (triggers: readonly Trigger[], pattern: RegExp) =>
      triggers
        .filter(({ name }) => name.startsWith('oldest-due'))
        .flatMap(({ metadata }) => pattern.exec(metadata['query']!)![1]!.split(/[|,]/))
        .map((kind) => kind.replaceAll(/[' ]/g, ''))
        .toSorted();
    const expected = kindsOf(service).toSorted();
    expect(kinds(triggersOf('keda-prometheus', service), /queue=~?"([^"]+)"/)).toEqual(expected);
    expect(kinds(triggersOf('keda-postgresql', service), /ARRAY\[(.+?)\]/)).toEqual(expected);
  });

  it('asks Prometheus for gauges of the manifest, of which it takes the highest', () => {
    const manifest: Readonly<Record<string, { type: string; labels: object }>> = METRICS;
    for (const { metadata } of WORKERS.flatMap((service) => triggersOf('keda-prometheus', service))) {
      const query = metadata['query']!;
      parser.parse(query).iterate({
        enter({ type, from }) {
          if (type.isError) throw new Error(`${query} cannot be parsed at ${from}`);
        },
      });
      const selectors = [...query.matchAll(/(\w+)\((memory_llm_\w+)\{queue=~?"([^"]+)"\}\)/g)];
      expect(selectors.length).toBe(query.match(/memory_llm_/g)!.length);
      for (const [, aggregate, metric, queues] of selectors) {
        expect([aggregate, metric, manifest[metric!]?.type]).toEqual(['max', metric, 'gauge']);
        expect(Object.keys(manifest[metric!]!.labels)).toEqual(['queue']);
        for (const queue of queues!.split('|')) expect(WORK_KINDS).toContain(queue);
      }
    }
  });
});
