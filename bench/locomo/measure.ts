import { ApiClient } from '../frame/load.ts';
import { log } from '../frame/log.ts';
import { summarize as summarizeTimes } from '../frame/statistics.ts';
import { BASELINES, type MakeSearch, queryBaseline } from './baselines.ts';
import type { Conversation } from './data-set.ts';
import { ingest } from './ingest.ts';
import { queryAll } from './query.ts';
import type { Side } from './report.ts';
import { onEmbedded, onServices, type Server } from './server.ts';
import { withStandIns } from './stand-ins.ts';

export interface MeasureOptions {
  readonly profile: 'embedded' | 'services';
  /** Starts two small local servers in place of neural models. */
  readonly standIns: boolean;
  /** Label of the server's rows. */
  readonly name: string;
  readonly baselines?: Readonly<Record<string, MakeSearch>>;
}

export interface Measured {
  /** The server's results, then those of each baseline. */
  readonly sides: readonly Side[];
  /** Milliseconds per query. */
  readonly p50: number;
  readonly p95: number;
}

/** Posts the conversations to a server of its own, asks every question there, and asks the baselines. */
export async function measureRecall(
  conversations: readonly Conversation[],
  { profile, standIns, name, baselines = BASELINES }: MeasureOptions,
): Promise<Measured> {
  const run = profile === 'services' ? onServices : onEmbedded;
  const measure = async ({ url, apiKey }: Server) => {
    const client = new ApiClient(url, apiKey);
    const startedMs = performance.now();
    const { messageIds } = await ingest(client, conversations);
    log(`${messageIds.size} messages are stored after ${Math.round((performance.now() - startedMs) / 1_000)} s`);
    const answered = await queryAll(client, conversations, messageIds);
    client.close();
    return answered;
  };
  const ours = standIns ? await withStandIns((env) => run(env, measure)) : await run({}, measure);
  const sides: Side[] = [{ name: `${name} (REST, ${profile})`, results: ours.results }];
  for (const [baseline, make] of Object.entries(baselines)) {
    sides.push({ name: baseline, results: await queryBaseline(conversations, make) });
  }
  const { p50, p95 } = summarizeTimes(ours.samplesMs);
  return { sides, p50, p95 };
}
