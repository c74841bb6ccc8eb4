import type { WorkKind } from '@annals/contracts';
import { SeededRng } from '@annals/domain';
import { FakeModelsProcess } from '@annals/testing';
import { createBacklog } from '../../beside-minds/backlog.ts';
import type { BenchDeployment } from '../../frame/deployment.ts';
import { ApiClient } from '../../frame/load.ts';
import type { Kind, Prepared } from './kind.ts';
import { type DoneTimes, holdWork, offerWork, saturateWithWork } from './scheduled-work.ts';

const MODEL_MS = 200;
const CONCURRENCY = 16;
/** Each of them has work of every kind once. */
const USERS = 240;
const SATURATING_RUNS = 40;
/** The meter never holds minds back. */
const ENERGY = { ANNALS_ENERGY_CAPACITY: '1000000', ANNALS_ENERGY_REFILL_PER_HOUR: '1000000' };
const UNLIMITED_USD = '10000';

export const TOM_INSIGHT: Kind = {
  title: 'tom-insight',
  unit: 'runs',
  limitMs: 10_000,
  work: `insights about a person from what was said lately, with a model of ${MODEL_MS} ms and without rests (ANNALS_MINDS_BUSY_PERCENT=100; by default a process works a tenth of the time)`,
  prepare: (deployment) => prepareMinds(deployment, 'tom-insight', ['insights']),
};

export const CONSOLIDATION_WORKER: Kind = {
  title: 'consolidation-worker',
  unit: 'runs',
  limitMs: 10_000,
  work: `consolidations and summaries in turn, with a model of ${MODEL_MS} ms and without rests`,
  prepare: (deployment) => prepareMinds(deployment, 'consolidation-worker', ['consolidation', 'summary']),
};

async function prepareMinds(
  deployment: BenchDeployment,
  name: 'tom-insight' | 'consolidation-worker',
  kinds: readonly WorkKind[],
): Promise<Prepared> {
  const { environment, startGateway, startWorker, startMinds } = deployment;
  await holdWork(environment, ['insights', 'consolidation', 'summary']);
  await stockUsers({ environment, startGateway, startWorker });
  const models = await FakeModelsProcess.start({ latencyMs: MODEL_MS });
  const process = await startMinds(name, {
    ANNALS_MINDS: 'on',
    ANNALS_MINDS_BUSY_PERCENT: '100',
    ...ENERGY,
    ...describeModel(models),
  });
  const done: DoneTimes = {
    kinds,
    sql: `SELECT (extract(epoch FROM ended_at) * 1000)::float8 AS at FROM mind_runs
           WHERE ended_at >= $1 AND kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`,
  };
  return {
    process,
    saturate: () => saturateWithWork(environment, done, SATURATING_RUNS),
    offer: (perSecond, seconds) =>
      offerWork(environment, done, { perSecond, count: Math.max(2, Math.round(perSecond * seconds)) }),
    close: () => models.stop(),
  };
}

/** Conversations that ended, with all work of minds about them held back. */
async function stockUsers({
  environment,
  startGateway,
  startWorker,
}: Pick<BenchDeployment, 'environment' | 'startGateway' | 'startWorker'>): Promise<void> {
  const env = { ANNALS_MINDS: 'on' };
  const gateway = await startGateway(env);
  const workers = [
    await startWorker('extraction', { concurrency: CONCURRENCY, model: { kind: 'inside', delayMs: 0 }, env }),
    await startWorker('persistence', { concurrency: CONCURRENCY, env }),
  ];
  const client = new ApiClient(gateway.url, environment.apiKey);
  await createBacklog(environment, client, { rng: new SeededRng(5), users: USERS });
  client.close();
  for (const process of [gateway, ...workers]) await process.stop();
  // createBacklog makes consolidation due.
  await environment.superuser.query(`UPDATE work SET available_at = now() + interval '1 day'`);
}

function describeModel({ anthropicUrl }: FakeModelsProcess): Record<string, string> {
  return {
    MEMORY_LLM_PRIMARY: 'claude',
    MEMORY_LLM_CLAUDE_API_KEY: 'key-of-a-fake-claude',
    MEMORY_LLM_CLAUDE_BASE_URL: anthropicUrl,
    MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: '0',
    MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: '0',
    MEMORY_LLM_DAILY_BUDGET_USD: UNLIMITED_USD,
  };
}
