import type {
  LangGraphCheckpoint,
  LangGraphCheckpointPage,
  LangGraphCheckpointSaved,
  LangGraphHistory,
  LangGraphThreadCounts,
  LangGraphThreadPage,
} from '@annals/contracts';
import { diffStates } from '@annals/state-delta';
import type { TestGateway } from '../fixtures/start-gateway.fixture.js';

type Options = { readonly headers?: Record<string, string> };

/** The routes of LangGraph with one key. */
export class GraphClient {
  constructor(
    private readonly gateway: TestGateway,
    readonly key: string,
  ) {}

  put(thread: string, checkpoint: string, body: object, query = '') {
    const sent = { body: { metadata: {}, ...body } };
    return this.send<LangGraphCheckpointSaved>('PUT', `${pathOf(thread)}/checkpoints/${checkpoint}${query}`, sent);
  }

  /** Sends `state` as a delta to `base`. */
  putDelta(
    thread: string,
    checkpoint: string,
    state: string,
    base: { readonly version: string; readonly state: string },
  ) {
    const data = diffStates(Buffer.from(base.state), Buffer.from(state)).toString('base64');
    return this.put(thread, checkpoint, { delta: { base: base.version, data } });
  }

  putWrites(thread: string, checkpoint: string, body: object, task = 'task', query = '') {
    const path = `${pathOf(thread)}/checkpoints/${checkpoint}/writes/${task}${query}`;
    return this.send<{ writes: number }>('PUT', path, { body });
  }

  get(thread: string, query = '') {
    return this.send<LangGraphCheckpoint>('GET', `${pathOf(thread)}/checkpoint${query}`);
  }

  search(body: object) {
    return this.send<LangGraphCheckpointPage>('POST', '/v1/langgraph/checkpoints/search', { body });
  }

  /** Ids of what a search finds. */
  async find(body: object): Promise<string[]> {
    return (await this.search(body)).body.items.map(({ checkpoint_id: id }) => id);
  }

  history(thread: string, body: object) {
    return this.send<LangGraphHistory>('POST', `${pathOf(thread)}/history`, { body });
  }

  list(query = '') {
    return this.send<LangGraphThreadPage>('GET', `/v1/langgraph/threads${query}`);
  }

  copy(thread: string, target: string, options: Options = {}) {
    const body = { thread_id: target };
    return this.send<LangGraphThreadCounts>('POST', `${pathOf(thread)}/copy`, { body, ...options });
  }

  prune(body: object, options: Options = {}) {
    return this.send<LangGraphThreadCounts>('POST', '/v1/langgraph/threads/prune', { body, ...options });
  }

  delete(thread: string, options: Options = {}) {
    return this.send<LangGraphThreadCounts>('DELETE', pathOf(thread), options);
  }

  private send<Body>(method: string, path: string, sent: Options & { readonly body?: object } = {}) {
    return this.gateway.send<Body>(this.key, method, path, sent);
  }
}

function pathOf(thread: string): string {
  return `/v1/langgraph/threads/${encodeURIComponent(thread)}`;
}
