import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AnnalsProcess } from '../processes/annals-process.js';
import { TEST_METRICS_TOKEN } from '../processes/test-secrets.js';
import { type PrivatePrometheus, startPrivatePrometheus } from './private-server.js';

const ALERTS = path.resolve(import.meta.dirname, '../../../../infra/prometheus/alerts.yml');

export interface ScrapingOptions {
  /** Default: 1 s, with rules whose conditions have to hold for a second only. Other intervals leave the rules as shipped. */
  readonly intervalSeconds?: number;
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The values of one series over time. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  /** Epoch seconds and value. */
  readonly points: readonly (readonly [at: number, value: number])[];
}

/** A Prometheus that scrapes the processes of a system and evaluates the alert rules. */
export class ScrapingPrometheus {
  private constructor(private readonly server: PrivatePrometheus) {}

  static async start(
    processes: readonly AnnalsProcess[],
    { intervalSeconds = 1 }: ScrapingOptions = {},
  ): Promise<ScrapingPrometheus> {
    const server = await startPrivatePrometheus();
    const shipped = readFileSync(ALERTS, 'utf8');
    const rules = intervalSeconds === 1 ? shipped.replaceAll(/^( +for:) .*$/gm, '$1 1s') : shipped;
    writeFileSync(path.join(server.folder, 'alerts.yml'), rules);
    const interval = `${intervalSeconds}s`;
    const config = {
      global: { scrape_interval: interval, evaluation_interval: interval },
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
    const results = await this.ask<{ metric: Sample['metric']; value: [number, string] }>('query', {
      query: expression,
    });
    return results.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
  }

  /** Values of an expression over a time, in epoch seconds. */
  async queryRange(
    expression: string,
    range: { readonly start: number; readonly end: number; readonly step: number },
  ): Promise<readonly Series[]> {
    const { start, end, step } = range;
    const parameters = { query: expression, start: `${start}`, end: `${end}`, step: `${step}` };
    const results = await this.ask<{ metric: Series['metric']; values: [number, string][] }>('query_range', parameters);
    return results.map(({ metric, values }) => ({ metric, points: values.map(([at, value]) => [at, Number(value)]) }));
  }

  /** Names of the alerts that fire. */
  async listFiring(): Promise<readonly string[]> {
    const samples = await this.query('ALERTS{alertstate="firing"}');
    return [...new Set(samples.map(({ metric }) => metric['alertname']!))].toSorted();
  }

  private async ask<Result>(route: string, parameters: Readonly<Record<string, string>>): Promise<Result[]> {
    const response = await fetch(`${this.server.url}/api/v1/${route}?${new URLSearchParams(parameters).toString()}`);
    const body = (await response.json()) as { error?: string; data: { result: Result[] } };
    if (!response.ok) throw new Error(`${parameters['query']}: ${body.error}`);
    return body.data.result;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
