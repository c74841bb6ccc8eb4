import { type AnnalsProcess, ApiClient, TEST_METRICS_TOKEN } from '@annals/testing';

/** The answer of a process to `/metrics`. */
export async function readMetrics({ url }: Pick<AnnalsProcess, 'url'>): Promise<string> {
  return (await new ApiClient(url, TEST_METRICS_TOKEN).send('GET', '/metrics')).text;
}

/** The sum of a metric over processes and labels, from `/metrics`. */
export async function sumMetric(processes: readonly AnnalsProcess[], name: string): Promise<number> {
  const texts = await Promise.all(processes.map(readMetrics));
  const line = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'gm');
  return texts.flatMap((text) => [...text.matchAll(line)]).reduce((sum, [, value]) => sum + Number(value), 0);
}
