import { ApiClient } from '../../frame/load.ts';
import { log } from '../../frame/log.ts';
import type { Conversation } from '../data-set.ts';
import { type Ingested, ingest } from '../ingest.ts';
import { queryAll } from '../query.ts';
import { type ReportRow, subtractRows, summarize } from '../report.ts';
import { onIdleMinds, type Server } from '../server.ts';
import { checkInsights, checkSummaries, countChanges, digest, type MindFigures } from './check-minds.ts';
import { type MadeByMinds, readMinds } from './read-minds.ts';
import { runMinds } from './run-minds.ts';

export interface MeasuredMinds {
  /** Before, after, and the difference. */
  readonly rows: readonly ReportRow[];
  readonly figures: MindFigures;
}

/**
 * Asks every question before and after a full run of all minds over the same memories, and checks what the minds made.
 * A second run over the same conversations, on a server of its own, is to make the same.
 */
export async function measureMinds(conversations: readonly Conversation[], name: string): Promise<MeasuredMinds> {
  const first = await onIdleMinds({}, async (server, startMinds) => {
    const ingested = await store(server, conversations);
    const before = await ask(server, conversations, ingested);
    const minded = await startMinds();
    const made = await think(minded, conversations, ingested);
    const after = await ask(minded, conversations, ingested);
    return { before, after, made, digest: digest(made, ingested.messageIds) };
  });
  const again = await onIdleMinds({}, async (server, startMinds) => {
    const ingested = await store(server, conversations);
    const made = await think(await startMinds(), conversations, ingested);
    return digest(made, ingested.messageIds);
  });
  const before = summarize({ name: `${name}, before all minds`, results: first.before });
  const after = summarize({ name: `${name}, after all minds`, results: first.after });
  return {
    rows: [...before, ...after, ...subtractRows(after, before)],
    figures: {
      ...countChanges(first.made),
      ...checkInsights(first.made),
      ...checkSummaries(first.made),
      'a second run makes the same': first.digest === again ? 'yes' : 'no',
    },
  };
}

/** Posts all messages. Insights are about one person: in a conversation of several, about who speaks first. */
async function store(server: Server, conversations: readonly Conversation[]): Promise<Ingested> {
  return withClient(server, async (client) => {
    for (const { id, sessions } of conversations) {
      const speaker = sessions[0]?.messages[0]?.speaker;
      const context = JSON.stringify({ preferred_name: speaker });
      if (speaker !== undefined) await client.put(`/v1/users/${encodeURIComponent(id)}/context`, context);
    }
    const ingested = await ingest(client, conversations);
    log(`${ingested.messageIds.size} messages are stored`);
    return ingested;
  });
}

async function ask(server: Server, conversations: readonly Conversation[], { messageIds }: Ingested) {
  return withClient(server, async (client) => (await queryAll(client, conversations, messageIds)).results);
}

async function think(server: Server, conversations: readonly Conversation[], ingested: Ingested): Promise<MadeByMinds> {
  const userIds = conversations.map(({ id }) => id);
  return withClient(server, async (client) => {
    await runMinds(client, ingested, userIds);
    log('all minds have run');
    return readMinds(client, ingested, userIds);
  });
}

async function withClient<T>({ url, apiKey }: Server, work: (client: ApiClient) => Promise<T>): Promise<T> {
  const client = new ApiClient(url, apiKey);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
