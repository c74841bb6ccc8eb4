import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const read = (file: string) => parse(readFileSync(path.resolve(import.meta.dirname, file), 'utf8'), { merge: true });

describe('provisioning of Grafana', () => {
  const { services } = read('../../docker-compose.yml') as { services: Record<string, { volumes: string[] }> };
  const { datasources } = read('provisioning/datasources/annals.yaml') as {
    datasources: { uid: string; type: string; url: string; isDefault: boolean; jsonData: { timeInterval: string } }[];
  };
  const { providers } = read('provisioning/dashboards/annals.yaml') as {
    providers: { folder: string; folderUid: string; options: { path: string } }[];
  };

  it('gives the dashboards their data source: the Prometheus of compose, the default of their variable', () => {
    expect(datasources).toHaveLength(1);
    expect(datasources[0]).toMatchObject({ uid: 'annals-prometheus', type: 'prometheus', isDefault: true });
    expect(datasources[0]?.url).toBe('http://prometheus:9090');
    expect(services).toHaveProperty('prometheus');
    for (const file of readdirSync(path.resolve(import.meta.dirname, 'dashboards'))) {
      const { templating } = read(`dashboards/${file}`) as { templating: { list: { type: string; query: string }[] } };
      expect(templating.list).toContainEqual(
        expect.objectContaining({ type: 'datasource', query: datasources[0]?.type }),
      );
    }
  });

  it('knows how often Prometheus scrapes', () => {
    const prometheus = read('../prometheus/prometheus.yml') as { global: { scrape_interval: string } };
    expect(datasources[0]?.jsonData.timeInterval).toBe(prometheus.global.scrape_interval);
  });

  it('finds the dashboards in the folder that compose mounts', () => {
    expect(providers).toHaveLength(1);
    expect(services['grafana']?.volumes).toContain(`./infra/grafana/dashboards:${providers[0]?.options.path}:ro`);
    expect(services['grafana']?.volumes).toContain('./infra/grafana/provisioning:/etc/grafana/provisioning:ro');
    expect(providers[0]).toMatchObject({ folder: 'Annals', folderUid: 'annals' });
  });
});
