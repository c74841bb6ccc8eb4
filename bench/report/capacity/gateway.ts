import { SeededRng } from '@annals/domain';
import { createConversation } from '../../data/conversations.ts';
import { createQuestion } from '../../data/memories.ts';
import { ApiClient } from '../../frame/load.ts';
import type { BenchDeployment } from '../../frame/deployment.ts';
import { waitForBatches } from '../../frame/wait-for-batches.ts';
import type { Kind, Prepared } from './kind.ts';
import { offerRequests, saturateWithRequests } from './requests.ts';

const USERS = 500;
/** Of the users that are asked about. */
const KNOWN_USERS = 10;
const CONVERSATIONS = 200;
const CONCURRENCY = 16;

export const GATEWAY_POSTS: Kind = {
  title: 'gateway, posts',
  unit: 'posts',
  limitMs: 100,
  work: 'a conversation of 10 messages is accepted: authentication, redaction, one transaction; no worker runs',
  async prepare(deployment) {
    const rng = new SeededRng(1);
    let serial = 0;
    return prepareGateway(deployment, '/v1/conversations', () => createConversation(rng, serial++, USERS));
  },
};

export const GATEWAY_QUERIES: Kind = {
  title: 'gateway, memory queries',
  unit: 'queries',
  limitMs: 150,
  work: `hybrid search over a user’s ${(CONVERSATIONS / KNOWN_USERS) * 6} memories and ${(CONVERSATIONS / KNOWN_USERS) * 10} turns, with hashed vectors, five results`,
  async prepare(deployment) {
    const rng = new SeededRng(2);
    let serial = 0;
    const query = () => ({ query: createQuestion(rng), filters: { user_id: `user-${serial++ % KNOWN_USERS}` } });
    const prepared = await prepareGateway(deployment, '/v1/memory/query', query);
    await fillStore(deployment, prepared.process.url);
    return prepared;
  },
};

async function prepareGateway(
  { environment, startGateway }: BenchDeployment,
  path: string,
  createBody: () => object,
): Promise<Prepared> {
  const process = await startGateway();
  const client = new ApiClient(process.url, environment.apiKey);
  const send = () => client.post(path, JSON.stringify(createBody()));
  return {
    process,
    saturate: () => saturateWithRequests(send),
    offer: (perSecond, seconds) => offerRequests(perSecond, seconds, send),
    close: async () => client.close(),
  };
}

/** Memories of the users that are asked about, written by workers that have ended when it is measured. */
async function fillStore({ environment, startWorker }: BenchDeployment, url: string): Promise<void> {
  const client = new ApiClient(url, environment.apiKey);
  const rng = new SeededRng(3);
  for (let index = 0; index < CONVERSATIONS; index += 1) {
    const body = { ...createConversation(rng, index, KNOWN_USERS), flush: true };
    await client.post('/v1/conversations', JSON.stringify(body));
  }
  client.close();
  const extraction = await startWorker('extraction', {
    concurrency: CONCURRENCY,
    model: { kind: 'inside', delayMs: 0 },
  });
  const persistence = await startWorker('persistence', { concurrency: CONCURRENCY });
  await waitForBatches(environment, 'done');
  await Promise.all([extraction.stop(), persistence.stop()]);
  await environment.superuser.query('VACUUM ANALYZE');
}
