import type { Batch, Memory } from '@annals/contracts';
import { type AnnalsSystem, ApiClient, waitUntilDone } from '@annals/testing';

/** Tells a running system what users say on which day, and reads what it has made of it. */
export class Timeline {
  readonly client: ApiClient;

  constructor(private readonly system: AnnalsSystem) {
    this.client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  }

  /** Posts one message of a day (`2026-01-05`), and returns its batch when it is done. */
  async say(userId: string, day: string, content: string, threadId = 'life'): Promise<Batch> {
    const message = { role: 'user' as const, content, created_at: `${day}T12:00:00Z` };
    const body = { user_id: userId, thread_id: threadId, flush: true, messages: [message] };
    const { batch_ids } = await this.client.must('postConversation', { body });
    const [batch] = await waitUntilDone(this.client, batch_ids, { explain: () => this.system.lastLines });
    return batch!;
  }

  /** Superseded memories are among them. */
  async listAll(userId: string): Promise<readonly Memory[]> {
    const query = { user_id: userId, include_superseded: 'true' as const, limit: 100 };
    return (await this.client.must('listMemories', { query })).items;
  }
}
