import { SeededRng } from '@annals/domain';
import { createConversation } from '../data/conversations.ts';
import { createQuestion } from '../data/memories.ts';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { type ApiClient, runPaced } from '../frame/load.ts';
import { median } from '../frame/statistics.ts';
import { waitForBatches } from '../frame/wait-for-batches.ts';

/** Users of the measured requests. */
const USERS = 50;
const CALLERS = 8;
const POSTS_PER_SECOND = 8;
const QUERIES_PER_SECOND = 16;

/** Medians in ms. `memory`: from the acceptance of a conversation to its stored memories. */
export interface HotPath {
  readonly accept: number;
  readonly query: number;
  readonly memory: number;
}

/** The client of one deployment, which sends the same requests as that of another one. */
export class HotPathClient {
  private readonly rng = new SeededRng(11);
  private posts = 0;
  private queries = 0;
  private readonly environment: BenchEnvironment;
  private readonly client: ApiClient;

  constructor(environment: BenchEnvironment, client: ApiClient) {
    this.environment = environment;
    this.client = client;
  }

  /** Posts and queries at a fixed rate, far below what the services can do, for some seconds. */
  async measure(seconds: number): Promise<HotPath> {
    const { environment } = this;
    const from = environment.clock.now();
    const [accepts, queries] = await Promise.all([
      runPaced(CALLERS, POSTS_PER_SECOND, POSTS_PER_SECOND * seconds, () => this.post()),
      runPaced(CALLERS, QUERIES_PER_SECOND, QUERIES_PER_SECOND * seconds, () => this.query()),
    ]);
    await waitForBatches(environment, 'done');
    const { rows } = await environment.superuser.query<{ ms: number }>(
      `SELECT (extract(epoch FROM finished_at - accepted_at) * 1000)::float8 AS ms FROM batches WHERE accepted_at >= $1`,
      [new Date(from)],
    );
    return { accept: median(accepts), query: median(queries), memory: median(rows.map(({ ms }) => ms)) };
  }

  private post(): Promise<string> {
    const conversation = createConversation(this.rng, (this.posts += 1), USERS);
    return this.client.post('/v1/conversations', JSON.stringify({ ...conversation, flush: true }));
  }

  private query(): Promise<string> {
    const filters = { user_id: `user-${(this.queries += 1) % USERS}` };
    return this.client.post('/v1/memory/query', JSON.stringify({ query: createQuestion(this.rng), filters }));
  }
}
