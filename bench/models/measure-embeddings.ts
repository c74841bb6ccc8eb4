import type { FakeModelsRemote } from '@annals/testing';
import { drain } from '../frame/drain.ts';
import { atMost, type Row } from '../frame/row.ts';
import type { BenchDeployment } from '../frame/deployment.ts';
import { describeRemoteEmbeddings } from './sides.ts';

/**
 * Target T4 (docs/reference/performance-targets.md#t4-model-calls-and-tokens-of-a-job): calls of persistence to a
 * remote embedder per job, and that it writes once.
 */
export async function measureEmbeddings(
  deployment: BenchDeployment,
  fake: FakeModelsRemote,
  jobs: number,
): Promise<Row[]> {
  await fake.configure({ latencyMs: 0 });
  await fake.clear();
  const drained = await drain(deployment, 'persistence', jobs, { env: describeRemoteEmbeddings(fake) });
  const requests = (await fake.listEntries()).filter(({ request }) => request.endpoint === 'embeddings');
  const inputs = requests.reduce((sum, { request }) => sum + [request.body.input].flat().length, 0);
  const calls = requests.length / jobs;
  const writes = drained.sqlPerJob.memoryTransactions;
  return [
    { id: 'T4', what: 'embedding calls per job', value: calls, unit: '', target: atMost(calls, 2, '<= 2') },
    {
      id: 'T4',
      what: 'embedding inputs per job',
      value: inputs / jobs,
      unit: '',
      target: atMost(inputs / jobs, 8, '<= 8'),
    },
    {
      id: 'T4',
      what: 'persistence with remote vectors: transactions that write memories, per job',
      value: writes,
      unit: '',
      target: { text: '= 1', met: Math.abs(writes - 1) < 0.01 },
    },
    {
      id: 'T4',
      what: 'persistence with remote vectors (1536-d): transactions per job',
      value: drained.sqlPerJob.transactions,
      unit: '',
    },
    {
      id: 'T3',
      what: 'persistence with remote vectors (1536-d): jobs of one process',
      value: drained.jobsPerSecond,
      unit: '/s',
    },
    {
      id: 'T3',
      what: 'persistence with remote vectors (1536-d): CPU per job',
      value: drained.cpuMsPerJob,
      unit: 'ms',
    },
  ];
}
