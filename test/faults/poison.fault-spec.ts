import {
  ApiClient,
  assertNothingLostOrDuplicated,
  type DistributedSystem,
  makePost,
  startOnServices,
  waitForBatches,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { acceptWord, refuseWord } from '../e2e/poison.fixture.js';

const POISON = 'poisonberry';
/**
 * Number of failures without a success from which on the pipeline counts as failing
 * (docs/reference/batches.md#readiness-fails-when-every-batch-fails).
 */
const MIN_FAILURES = 5;

describe('a batch that cannot be written', () => {
  let system: DistributedSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    system = await startOnServices();
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    await refuseWord(system, POISON);
  });
  afterAll(() => system?.close());

  const post = async (thread_id: string, content: string) => {
    const messages = [{ id: thread_id, role: 'user' as const, content }];
    return client.must('postConversation', { body: { user_id: 'eve', thread_id, messages, flush: true } });
  };
  const readiness = async (url: string) => (await new ApiClient(url, null).send('GET', '/health/ready')).status;
  let poisoned: string[] = [];

  it('fails with a reason, without the content', async () => {
    const accepted = [];
    for (let turn = 0; turn < MIN_FAILURES; turn += 1) {
      accepted.push(await post(`p${turn}`, `I like ${POISON} ${turn}.`));
    }
    poisoned = accepted.flatMap(({ batch_ids }) => batch_ids);
    const batches = await waitForBatches(client, poisoned, { explain });
    for (const batch of batches) {
      expect(batch).toMatchObject({ status: 'failed', inserted: 0, error: { code: 'invalid_request' } });
      expect(JSON.stringify(batch)).not.toContain(POISON);
    }
    expect((await client.must('listMemories', { query: { user_id: 'eve' } })).items).toEqual([]);
    const dump = JSON.parse(await system.dumpQueues()) as [string, unknown][];
    const failedJobs = dump.find(([key]) => key.endsWith(':persistence:failed'))?.[1] as string[];
    expect(failedJobs.map((id) => id.split('-').slice(1, -1).join('-')).toSorted()).toEqual(poisoned.toSorted());
    expect(JSON.stringify(dump)).not.toContain(POISON);
  });

  it('makes the workers not ready when no batch succeeds, and leaves the gateway ready with a notice', async () => {
    for (const { app, url } of system.processes) {
      if (app === 'gateway') continue;
      await waitUntil(async () => (await readiness(url)) === 503, {
        describe: `${app} is not ready`,
      });
    }
    for (const { url } of system.gateways) {
      const answer = await new ApiClient(url, null).send('GET', '/health/ready');
      expect(answer.status).toBe(200);
      expect(answer.text).toMatch(/batches that ended in the last five minutes failed/);
    }
  });

  it('does not block other batches', async () => {
    const { batch_ids } = await client.must('postConversation', {
      body: { ...makePost([1], { userId: 'eve', threadId: 'good' }), flush: true },
    });
    await waitUntilDone(client, batch_ids, { explain });
    for (const { url } of system.processes) {
      await waitUntil(async () => (await readiness(url)) === 200, {
        describe: 'all processes are ready',
      });
    }
  });

  it('fails again when it is replayed too early', async () => {
    const id = poisoned[0]!;
    const replayed = await client.must('replayBatch', { params: { id } });
    expect(replayed).toMatchObject({ id, generation: 2, error: null });
    const [batch] = await waitForBatches(client, [id], { explain });
    expect(batch).toMatchObject({ status: 'failed', generation: 2 });
  });

  it('succeeds by a replay once the cause is removed, and only once', async () => {
    await acceptWord(system);
    const answers = await Promise.all(
      poisoned.flatMap((id) => [1, 2, 3].map(() => client.call('replayBatch', { params: { id } }))),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(poisoned.length);
    for (const answer of answers) if (!answer.ok) expect(answer.problem.code).toBe('batch_not_failed');
    const batches = await waitUntilDone(client, poisoned, { explain });
    expect(batches.map(({ inserted }) => inserted)).toEqual(poisoned.map(() => 1));
    const contents = new Set([
      'The user collects item 1.',
      ...poisoned.map((_, turn) => `The user likes ${POISON} ${turn}.`),
    ]);
    await system.inspect((query) =>
      assertNothingLostOrDuplicated(query, { batchIds: poisoned, contents: new Map([['eve', contents]]) }),
    );
    expect(await client.mustFail('replayBatch', { params: { id: poisoned[0]! } })).toMatchObject({
      status: 409,
      code: 'batch_not_failed',
    });
  });
});
