import {
  type AnnalsProcess,
  answerFromPrompt,
  ApiClient,
  assertNothingLostOrDuplicated,
  type DistributedSystem,
  type FakeModels,
  startFakeModels,
  startOnServices,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { makeMarkedPost, markedContent } from './marked-posts.js';
import { chooseFakeModels } from './model-variables.js';

const USER = 'ada';
const NUMBER = 1;

describe('a worker that is frozen while a model answers', () => {
  const answered = Promise.withResolvers<void>();
  let fake: FakeModels;
  let system: DistributedSystem;
  let client: ApiClient;
  let frozen: AnnalsProcess;
  let other: AnnalsProcess;
  beforeAll(async () => {
    fake = await startFakeModels({
      answer: async (request) => {
        await answered.promise;
        return answerFromPrompt(request);
      },
    });
    // The lock of the job is lost after five seconds; the lease outlives any freeze of this spec.
    const env = chooseFakeModels(fake, { MEMORY_LLM_FALLBACKS: '', ANNALS_LEASE_MS: '600000' });
    system = await startOnServices({ extractions: 2, env });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    [frozen, other] = system.extractions as [AnnalsProcess, AnnalsProcess];
  });
  afterAll(async () => {
    answered.resolve();
    await system?.close();
    await fake?.close();
  });

  const calls = () => fake.journal.entries.filter(({ request }) => request.endpoint === 'generate');

  it('goes on with its batch afterwards: one attempt, one paid call', async () => {
    await other.stop();
    const body = makeMarkedPost(NUMBER, { userId: USER, threadId: 'thread' });
    const { batch_ids } = await client.must('postConversation', { body });
    await fake.journal.waitFor(() => calls().length > 0);

    process.kill(frozen.pid!, 'SIGSTOP');
    await other.start();
    await waitUntil(() => other.output.text.includes('"job_stalled"'), {
      describe: 'the queue delivers the job to the other worker',
    });
    process.kill(frozen.pid!, 'SIGCONT');
    await waitUntil(() => frozen.output.text.includes('"job_lock_lost"'), {
      describe: 'the frozen worker knows that it has lost the lock of the job',
    });
    answered.resolve();

    const [batch] = await waitUntilDone(client, batch_ids, { explain: () => system.lastLines });
    expect(batch).toMatchObject({ attempts: 1, inserted: 1 });
    expect(calls()).toHaveLength(1);
    await system.inspect((query) =>
      assertNothingLostOrDuplicated(query, {
        batchIds: batch_ids,
        contents: new Map([[USER, new Set([markedContent(NUMBER)])]]),
      }),
    );
  });
});
