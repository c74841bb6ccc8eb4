import { registerSourceHooks } from '../../../../scripts/test/source-hooks.mjs';

// A worker process that takes one job, prints its id and never finishes it. Its parent kills it.
registerSourceHooks();
const { SystemClock } = await import('@annals/domain');
const { createLogger, createMetrics } = await import('@annals/observability');
const { createQueueBackend, JobWorker } = await import('../index.ts');
const { testDefinition } = await import('./queue.fixture.ts');

const clock = new SystemClock();
const logger = createLogger({ service: 'vanishing-worker', level: 'error', clock });
const worker = new JobWorker({
  definition: testDefinition,
  backend: await createQueueBackend(JSON.parse(process.argv[2]), { logger }),
  clock,
  logger,
  metrics: createMetrics({ service: 'vanishing-worker', version: '0', processMetrics: false }),
  handler: (_payload, { jobId }) => {
    process.stdout.write(`${jobId}\n`);
    return new Promise(() => undefined);
  },
  onExhausted: async () => undefined,
});
await worker.start();
