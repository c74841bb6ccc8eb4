import { type PrivatePrometheus, startPrivatePrometheus } from '@annals/testing';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface ScrapeConfig {
  readonly job_name: string;
  readonly dns_sd_configs?: readonly { names: string[]; port: number }[];
  readonly authorization?: { credentials_file: string };
  readonly static_configs?: readonly { targets: string[] }[];
}

const file = (name: string) => path.resolve(import.meta.dirname, name);
const text = readFileSync(file('prometheus.yml'), 'utf8');
const config = parse(text) as { rule_files: string[]; scrape_configs: ScrapeConfig[] };
const { services } = parse(readFileSync(file('../../docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, { environment?: Record<string, string>; networks: string[]; command?: string[] }>;
};

describe('configuration of Prometheus', () => {
  let prometheus: PrivatePrometheus;

  beforeAll(async () => {
    prometheus = await startPrivatePrometheus();
    copyFileSync(file('alerts.yml'), path.join(prometheus.folder, 'alerts.yml'));
    // promtool looks for the file of the token, which compose makes.
    const token = path.join(prometheus.folder, 'metrics-token');
    writeFileSync(token, 'token');
    writeFileSync(
      path.join(prometheus.folder, 'prometheus.yml'),
      text.replace(/credentials_file: [^ }]+/, 'credentials_file: metrics-token'),
    );
  });
  afterAll(() => prometheus.stop());

  it('is accepted by promtool, with the alert rules', async () => {
    const { status, output } = await prometheus.promtool('check', 'config', '{folder}/prometheus.yml');
    expect(output).toMatch(/SUCCESS: .*prometheus\.yml is valid prometheus config file/);
    expect(output).toMatch(/SUCCESS: \d+ rules found/);
    expect(status).toBe(0);
    expect(config.rule_files).toEqual(['alerts.yml']);
  });

  it('scrapes every service of compose that serves metrics, on their port and a network that both have', () => {
    const [annals] = config.scrape_configs;
    const serving = Object.entries(services).filter(([, service]) => service.environment?.['ANNALS_METRICS_PORT']);
    expect(annals?.job_name).toBe('annals');
    expect(annals?.dns_sd_configs?.[0]?.names.toSorted()).toEqual(serving.map(([name]) => name).toSorted());
    for (const [, { environment, networks }] of serving) {
      expect(environment?.['ANNALS_METRICS_PORT']).toBe(`${annals?.dns_sd_configs?.[0]?.port}`);
      expect(networks).toContain('monitoring');
    }
    expect(services['prometheus']?.networks).toEqual(['monitoring']);
  });

  it('sends the token that compose writes into a file in memory', () => {
    const tokenFile = config.scrape_configs[0]?.authorization?.credentials_file;
    expect(services['prometheus']?.command?.[0]).toContain(`> ${tokenFile}\n`);
  });
});
