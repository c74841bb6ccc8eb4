import type { PostConversation } from '@annals/contracts';
import { type Rng, SeededRng } from '@annals/domain';
import { createLongMessage } from '../data/long-messages.ts';
import { createQuestion } from '../data/memories.ts';
import { withDeployment } from '../frame/deployment.ts';
import { ApiClient, runClosedLoop } from '../frame/load.ts';
import { log } from '../frame/log.ts';
import type { Row } from '../frame/row.ts';
import type { ServiceProcess } from '../frame/service-process.ts';
import { median } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';
import { waitForBatches } from '../frame/wait-for-batches.ts';

const CLIENTS = 16;
const QUESTIONS = 200;
const MESSAGES_OF_POST = 10;

/** Users in turn: of many users, each text is read again less often. */
interface Population {
  readonly name: string;
  readonly users: number;
  readonly messages: number;
}
const POPULATIONS: readonly Population[] = [
  { name: 'one user, 500 messages', users: 1, messages: 500 },
  { name: '40 users, 50 messages each', users: 40, messages: 50 },
];
const QUICK: readonly Population[] = [{ name: 'one user, 50 messages', users: 1, messages: 50 }];

/** `memory.query` where messages have several kB each, so that ranking them is most of the gateway's work. */
export const benchLongTurns: Suite = (options) =>
  withDeployment(options, async ({ environment, startGateway, startWorker }) => {
    const gateway = await startGateway();
    const client = new ApiClient(gateway.url, environment.apiKey);
    const populations = options.quick ? QUICK : POPULATIONS;
    const rng = new SeededRng(11);
    const workers = [
      await startWorker('extraction', { concurrency: 4, model: { kind: 'configured' } }),
      await startWorker('persistence', { concurrency: 4 }),
    ];
    for (const population of populations) {
      for (const post of createPosts(rng, population)) await client.post('/v1/conversations', JSON.stringify(post));
    }
    await waitForBatches(environment, 'done');
    for (const worker of workers) await worker.stop();
    await environment.superuser.query('VACUUM ANALYZE');
    log('long messages are stored');
    const rows: Row[] = [];
    for (const population of populations) {
      rows.push(...(await measure(gateway, client, population, options.quick)));
    }
    client.close();
    return rows;
  });

const userOf = ({ name }: Population, index: number) => `${name}-${index}`;

function* createPosts(rng: Rng, population: Population): Generator<PostConversation> {
  for (let index = 0; index < population.users * population.messages; index += MESSAGES_OF_POST) {
    const user = Math.floor(index / population.messages);
    yield {
      user_id: userOf(population, user),
      thread_id: `thread-${Math.floor(index / MESSAGES_OF_POST)}`,
      flush: true,
      end: false,
      priority: 'interactive',
      messages: Array.from({ length: MESSAGES_OF_POST }, (_, turn) => ({
        role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: createLongMessage(rng, index + turn),
      })),
    };
  }
}

/** After a warm-up, the median of rounds. */
async function measure(
  gateway: ServiceProcess,
  client: ApiClient,
  population: Population,
  quick: boolean,
): Promise<Row[]> {
  const rng = new SeededRng(13);
  const bodies = Array.from({ length: QUESTIONS }, (_, index) =>
    JSON.stringify({
      query: createQuestion(rng),
      filters: { user_id: userOf(population, index % population.users) },
    }),
  );
  const ask = (index: number) => client.post('/v1/memory/query', bodies[index % QUESTIONS]!);
  const count = quick ? 32 : 200;
  await runClosedLoop(CLIENTS, count, ask);
  const perSecond: number[] = [];
  const cpuMs: number[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    const before = await gateway.probe();
    perSecond.push((await runClosedLoop(CLIENTS, count, ask)).perSecond);
    cpuMs.push(((await gateway.probe()).cpuMs - before.cpuMs) / count);
  }
  const label = `memory.query, long messages, ${population.name}`;
  return [
    { id: 'T6', what: `${label}: ${CLIENTS} concurrent`, value: median(perSecond), unit: '/s' },
    { id: 'T6', what: `${label}: gateway CPU per query`, value: median(cpuMs), unit: 'ms' },
  ];
}
