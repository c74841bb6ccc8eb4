import type { WorkKind } from '@annals/contracts';
import { SeededRng } from '@annals/domain';
import { FakeModelsProcess } from '@annals/testing';
import { createBacklog } from '../../beside-minds/backlog.ts';
import type { BenchDeployment } from '../../frame/deployment.ts';
import { ApiClient } from '../../frame/load.ts';
import type { Kind, Prepared } from './kind.ts';
import { type DoneTimes, holdWork, prepareWork } from './scheduled-work.ts';

const MODEL_MS = 200;
const CONCURRENCY = 16;
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
  const { environment, startMinds } = deployment;
  await holdWork(environment, ['insights', 'consolidation', 'summary']);
  const stock = createUserStock(deployment, kinds);
  await stock(SATURATING_RUNS);
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
    ...prepareWork(environment, { process, done, stock, saturatingCount: SATURATING_RUNS }),
    close: () => models.stop(),
  };
}

/**
 * Prepares so much work of these kinds: conversations that ended, each of a user of its own, which has work of every kind
 * once. All work of minds is held back.
 */
function createUserStock(
  { environment, startGateway, startWorker }: BenchDeployment,
  kinds: readonly WorkKind[],
): (count: number) => Promise<void> {
  const rng = new SeededRng(5);
  let stocked = 0;
  return async (count) => {
    const users = Math.ceil(count / kinds.length);
    const env = { ANNALS_MINDS: 'on' };
    const gateway = await startGateway(env);
    const workers = [
      await startWorker('extraction', { concurrency: CONCURRENCY, model: { kind: 'inside', delayMs: 0 }, env }),
      await startWorker('persistence', { concurrency: CONCURRENCY, env }),
    ];
    const client = new ApiClient(gateway.url, environment.apiKey);
    await createBacklog(environment, client, { rng, users, firstUser: stocked });
    stocked += users;
    client.close();
    await Promise.all([gateway, ...workers].map((process) => process.stop()));
  };
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
