import type { AnnalsProcess } from '@annals/testing';

/** The sum of a metric over processes and labels, from `/metrics`. */
export async function sumMetric(processes: readonly AnnalsProcess[], name: string): Promise<number> {
  const texts = await Promise.all(processes.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  const line = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'gm');
  return texts.flatMap((text) => [...text.matchAll(line)]).reduce((sum, [, value]) => sum + Number(value), 0);
}
