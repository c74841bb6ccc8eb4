import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type AnnalsProcess,
  type PrivatePrometheus,
  startPrivatePrometheus,
  TEST_METRICS_TOKEN,
} from '@annals/testing';

const ALERTS = path.resolve(import.meta.dirname, '../../infra/prometheus/alerts.yml');

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A Prometheus that scrapes the processes of a system every second and evaluates the alert rules. */
export class ScrapingPrometheus {
  private constructor(private readonly server: PrivatePrometheus) {}

  /** Rules as they are shipped, except that a condition has to hold for a second only. */
  static async start(processes: readonly AnnalsProcess[]): Promise<ScrapingPrometheus> {
    const server = await startPrivatePrometheus();
    const rules = readFileSync(ALERTS, 'utf8').replaceAll(/^( +for:) .*$/gm, '$1 1s');
    writeFileSync(path.join(server.folder, 'alerts.yml'), rules);
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ['alerts.yml'],
      scrape_configs: [
        {
          job_name: 'annals',
          authorization: { credentials: TEST_METRICS_TOKEN },
          static_configs: [{ targets: processes.map(({ url }) => new URL(url).host) }],
        },
      ],
    };
    // JSON is YAML.
    writeFileSync(path.join(server.folder, 'prometheus.yml'), JSON.stringify(config));
    await server.reload();
    return new ScrapingPrometheus(server);
  }

  /** Samples of an expression now. Throws with Prometheus' answer when it refuses the expression. */
  async query(expression: string): Promise<readonly Sample[]> {
    const response = await fetch(`${this.server.url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const body = (await response.json()) as {
      error?: string;
      data: { result: { metric: Sample['metric']; value: [number, string] }[] };
    };
    if (!response.ok) throw new Error(`${expression}: ${body.error}`);
    return body.data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
  }

  /** Names of the alerts that fire. */
  async listFiring(): Promise<readonly string[]> {
    const samples = await this.query('ALERTS{alertstate="firing"}');
    return [...new Set(samples.map(({ metric }) => metric['alertname']!))].toSorted();
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
