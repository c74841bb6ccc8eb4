import { SeededRng } from '@annals/domain';
import { createConversation } from '../../data/conversations.ts';
import { acceptDirectly } from '../../frame/accept-directly.ts';
import type { BenchDeployment, WorkerOptions } from '../../frame/deployment.ts';
import { runClosedLoop } from '../../frame/load.ts';
import { waitForBatches } from '../../frame/wait-for-batches.ts';
import type { Kind, Prepared } from './kind.ts';
import { type DoneTimes, holdWork, prepareWork } from './scheduled-work.ts';

const USERS = 200;
const CONCURRENCY = 16;
const SEEDERS = 16;
const MODEL_MS = 200;
const SATURATING_JOBS = 250;

const EXTRACTED: DoneTimes = {
  kinds: ['extraction'],
  sql: `SELECT (extract(epoch FROM extracted_at) * 1000)::float8 AS at FROM batches WHERE extracted_at >= $1`,
};
const PERSISTED: DoneTimes = {
  kinds: ['persistence'],
  sql: `SELECT (extract(epoch FROM finished_at) * 1000)::float8 AS at FROM batches WHERE finished_at >= $1`,
};

export const EXTRACTION_WITH_RULES: Kind = {
  title: 'extraction, with the local rules',
  unit: 'conversations',
  limitMs: 1_000,
  work: 'a conversation of 10 messages becomes extracted facts, by the rules in the process; from due to extracted',
  prepare: (deployment) => prepareExtraction(deployment, { kind: 'configured' }),
};

export const EXTRACTION_WITH_MODEL: Kind = {
  title: `extraction, with a model of ${MODEL_MS} ms`,
  unit: 'conversations',
  limitMs: 1_000,
  work: `the same with a stub that answers after ${MODEL_MS} ms, treated like a remote model: prompt, admission, ledger; ${CONCURRENCY} at a time`,
  prepare: (deployment) => prepareExtraction(deployment, { kind: 'remote', delayMs: MODEL_MS }),
};

export const PERSISTENCE: Kind = {
  title: 'persistence',
  unit: 'conversations',
  limitMs: 1_000,
  work: 'the six facts of a conversation are compared, embedded (hashed), written and audited; from due to stored',
  async prepare(deployment) {
    const { environment, startWorker } = deployment;
    await holdWork(environment, PERSISTED.kinds);
    const seed = createSeeder(deployment);
    // What it works on has to be extracted before, by a process that is not measured and has ended by then.
    const stock = async (count: number): Promise<void> => {
      await seed(count);
      const extraction = await startWorker('extraction', {
        concurrency: CONCURRENCY,
        model: { kind: 'inside', delayMs: 0 },
      });
      await waitForBatches(environment, 'extracted');
      await extraction.stop();
    };
    await stock(SATURATING_JOBS);
    const process = await startWorker('persistence', { concurrency: CONCURRENCY });
    return prepareWork(environment, { process, done: PERSISTED, stock, saturatingCount: SATURATING_JOBS });
  },
};

async function prepareExtraction(
  deployment: BenchDeployment,
  model: WorkerOptions['model'] & object,
): Promise<Prepared> {
  await holdWork(deployment.environment, EXTRACTED.kinds);
  const stock = createSeeder(deployment);
  await stock(SATURATING_JOBS);
  const process = await deployment.startWorker('extraction', { concurrency: CONCURRENCY, model });
  return prepareWork(deployment.environment, {
    process,
    done: EXTRACTED,
    stock,
    saturatingCount: SATURATING_JOBS,
  });
}

/** Creates batches as the gateway stores them. */
function createSeeder({ environment }: BenchDeployment): (count: number) => Promise<void> {
  const rng = new SeededRng(3);
  let serial = 0;
  return async (count) => {
    await runClosedLoop(SEEDERS, count, () =>
      acceptDirectly(environment, createConversation(rng, serial++, USERS), true),
    );
  };
}
