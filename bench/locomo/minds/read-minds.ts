import type { ConsolidationRun, Insight, MindRun, Summary, ThreadSummaries } from '@annals/contracts';
import type { ApiClient } from '../../frame/load.ts';
import { call, type Ingested, readMessages } from '../ingest.ts';
import { readAll } from './run-minds.ts';

/** A stored message that insights and summaries may rest on. */
export interface SourceMessage {
  readonly userId: string;
  readonly conversationId: string;
  readonly speaker: string | null;
  readonly content: string;
}

/** What the minds made of all that was ingested. */
export interface MadeByMinds {
  readonly messages: ReadonlyMap<string, SourceMessage>;
  readonly runs: readonly MindRun[];
  readonly changes: ConsolidationRun['changes'];
  readonly insights: readonly (Insight & { readonly userId: string })[];
  readonly summaries: readonly (Summary & { readonly conversationId: string })[];
}

export async function readMinds(
  client: ApiClient,
  { conversationIds }: Ingested,
  userIds: readonly string[],
): Promise<MadeByMinds> {
  const messages = new Map<string, SourceMessage>();
  const summaries: (Summary & { conversationId: string })[] = [];
  for (const conversationId of conversationIds) {
    const { user_id: userId, thread_id: threadId } = await call<{ user_id: string; thread_id: string }>(
      client.get(`/v1/conversations/${conversationId}?limit=1`),
    );
    for (const { id, actor_id: speaker, content } of await readMessages(client, conversationId)) {
      messages.set(id, { userId, conversationId, speaker, content });
    }
    const path = `/v1/threads/${encodeURIComponent(threadId)}/summary`;
    const query = `user_id=${encodeURIComponent(userId)}&level=all&limit=200`;
    // A short conversation has none.
    const found = await call<ThreadSummaries>(client.get(`${path}?${query}`)).catch((error: Error) => {
      if (!error.message.includes('failed with 404')) throw error;
      return { summaries: [] };
    });
    summaries.push(...found.summaries.map((summary) => ({ ...summary, conversationId })));
  }
  const insights: (Insight & { userId: string })[] = [];
  for (const userId of userIds) {
    const list = await readAll<Insight>(client, `/v1/users/${encodeURIComponent(userId)}/insights`);
    insights.push(...list.map((insight) => ({ ...insight, userId })));
  }
  const runs = await readAll<MindRun>(client, '/v1/admin/minds/runs');
  const changes: ConsolidationRun['changes'] = [];
  for (const { id } of runs.filter(({ kind }) => kind === 'consolidation')) {
    changes.push(...(await call<ConsolidationRun>(client.get(`/v1/consolidation/runs/${id}`))).changes);
  }
  return { messages, runs, changes, insights, summaries };
}
