import { type AnnalsSystem, ApiClient, LoadGenerator, waitUntilDone } from '@annals/testing';
import { globSync } from 'node:fs';

const USER = 'ana';
const APP = 'travel';
/** Well over the 100 tokens from which a conversation is summarised: the number is replaced by a random text. */
const TURNS = [
  'I work at the harbour office in Porto, and my number there is +351 912 345 678.',
  'I work at the library now, and no longer at the harbour office.',
  'The deadline for the catalogue was moved up again, so I missed the rehearsal of the choir.',
  'Another deadline at the library, the third this month: the catalogue has to be done by Friday.',
  'I missed the deadline for the slides, since nobody had told me that the meeting was a day earlier.',
  'On Sundays I walk along the river with my brother, and we talk about the garden that we want to plant in spring.',
];

/** Users are erased each so many rounds. */
const ROUNDS_BEFORE_ERASURE = 4;

/** Uses every part of the API that a dashboard shows, again and again until `stop`. */
export class MixedUse {
  /** Settles when the use has ended: rejects when a request failed, and `stop` rejects with the same error. */
  readonly running: Promise<void>;

  private readonly client: ApiClient;
  private readonly load: LoadGenerator;
  private isStopped = false;
  /** Conversations that are going to be forgotten, by the names of their threads. */
  private readonly leaving = new Map<string, string>();

  constructor(
    private readonly system: AnnalsSystem,
    private readonly webhookUrl: string,
    private readonly vault: string,
  ) {
    this.client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    this.load = new LoadGenerator(this.client, { seed: 7, callers: 1, users: 3, pauseMs: 200, maxUnfinished: 5 });
    this.running = this.repeat();
    this.running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.load.stop();
    await this.running;
  }

  private async repeat(): Promise<void> {
    await this.client.must('putWebhook', { body: { id: 'listener', url: this.webhookUrl } });
    for (let round = 0; !this.isStopped; round += 1) {
      await this.converse(round);
      await this.query();
      await this.chat(round);
      await this.saveCheckpoint(round);
      await this.forget(round);
      await this.consolidate(round);
      await this.beRefused();
    }
  }

  private async converse(round: number): Promise<void> {
    await this.client.must('putApp', { params: { app_id: APP }, body: { name: 'Travel' } });
    const messages = TURNS.map((content, index) => ({ id: `${round}-${index}`, role: 'user' as const, content }));
    const body = { user_id: USER, thread_id: `thread-${round}`, app_id: APP, flush: true, messages };
    const { batch_ids, conversation_id } = await this.client.must('postConversation', { body });
    await this.client.must('postConversation', { body });
    await waitUntilDone(this.client, batch_ids, { explain: () => this.system.lastLines });
    await this.client.must('endConversation', { params: { id: conversation_id } });
    await this.client.must('getAppContext', { params: { app_id: APP }, query: { user_id: USER } });
  }

  private async query(): Promise<void> {
    for (const purpose of ['context', 'recall'] as const) {
      const body = { query: 'Where does the user work?', purpose, filters: { user_id: USER } };
      await this.client.must('queryMemory', { body });
    }
  }

  private async chat(round: number): Promise<void> {
    const messages = [{ role: 'user', content: `Where do I work, and what did I miss? (${round})` }];
    await this.client.must('createChatCompletion', { body: { model: 'gpt-6-luna', user: USER, messages } });
  }

  private async saveCheckpoint(round: number): Promise<void> {
    const params = { user_id: USER, thread_id: `thread-${round}` };
    await this.client.must('putCheckpoint', { params, body: { data: { step: round } } });
    await this.client.must('getCheckpoint', { params });
  }

  /** Two memories of which one says what the other does, merged and taken apart. */
  private async consolidate(round: number): Promise<void> {
    const user_id = `ben-${round}`;
    for (const content of ['The user works at Siemens.', 'The user works at Siemens as a team lead.'])
      await this.client.must('addMemory', { body: { user_id, category: 'profile', content, importance: 2 } });
    const { run_id } = await this.client.must('startConsolidation', { body: { user_id } });
    const run = { params: { id: run_id } };
    while (!this.isStopped && (await this.client.must('getConsolidationRun', run)).state !== 'done') {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    if (!this.isStopped) await this.client.call('undoConsolidationRun', run);
  }

  /**
   * Of two people who were told something, one forgets conversations once they have files, and the other, who comes now and then, is
   * erased.
   */
  private async forget(round: number): Promise<void> {
    const body = (user_id: string, thread_id: string) => {
      const messages = [{ role: 'user' as const, content: `I collect stamps, and have ${round} of them.` }];
      return { user_id, thread_id, flush: true, messages };
    };
    const thread = `stamps-${round}`;
    const { conversation_id } = await this.client.must('postConversation', { body: body('carl', thread) });
    this.leaving.set(thread, conversation_id);
    for (const [written, id] of this.leaving) {
      if (globSync(`*/*/entries/${written}/turns/user/*.md`, { cwd: this.vault }).length === 0) continue;
      this.leaving.delete(written);
      await this.client.must('forgetConversation', { params: { id } });
    }
    if (round % ROUNDS_BEFORE_ERASURE !== 0) return;
    await this.client.must('postConversation', { body: body(`dora-${round}`, 'stamps') });
    await this.client.must('eraseUser', { params: { user_id: `dora-${round}` } });
  }

  private async beRefused(): Promise<void> {
    const stranger = new ApiClient(() => this.system.nextUrl(), 'no key of anybody, whatever it is');
    await stranger.send('GET', '/v1/memories?user_id=ana');
    await this.client.send('GET', '/v1/operator/budgets');
  }
}
