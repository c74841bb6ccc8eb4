import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import cliProgress from 'cli-progress';
import { connect } from './api.mjs';
import { followBatches } from './follow-batches.mjs';
import { runMinds } from './follow-minds.mjs';
import { readConversations } from './read-conversations.mjs';
import { showMinds } from './show-minds.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    query: { type: 'string', short: 'q' },
    show: { type: 'string', default: '8' },
    help: { type: 'boolean', short: 'h' },
  },
});

const USAGE = `Usage: npm run demo [-- file.json] [--query "text of a query"] [--show 8]

Sends a conversation file to a running server, waits for its memories and prints them with their sources. Then it waits
for the minds and prints summaries, insights with their ground, and what a consolidation changed.
Without a file it sends a small sample. ANNALS_URL and ANNALS_KEY set another server and key.`;

async function run() {
  const file = positionals[0] ?? new URL('./sample-conversation.json', import.meta.url);
  const conversations = readConversations(JSON.parse(await readFile(file, 'utf8')));
  const api = await connect(process.env);
  const bar = new cliProgress.MultiBar(
    { format: '{what} |{bar}| {value}/{total}', hideCursor: true, clearOnComplete: false, noTTYOutput: true },
    cliProgress.Presets.shades_classic,
  );
  const totals = {
    messages: 0,
    duplicates: 0,
    batches: 0,
    failed: 0,
    inserted: 0,
    updated: 0,
    skipped: 0,
    quarantined: 0,
  };
  let sent;
  let minds;
  try {
    sent = await send(api, conversations, bar, totals);
    for (const batch of await followBatches(api, sent.batchIds, bar)) {
      totals.batches += 1;
      totals.failed += batch.status === 'failed' ? 1 : 0;
      totals.inserted += batch.inserted;
      totals.updated += batch.updated;
      totals.skipped += batch.skipped_duplicate;
      totals.quarantined += batch.quarantined;
    }
    const userIds = conversations.map(({ userId }) => userId);
    minds = await runMinds(api, { userIds, conversationIds: sent.threads.keys() }, bar);
  } finally {
    bar.stop();
  }
  const limit = Math.min(200, Math.max(1, Number(values.show) || 8));
  for (const conversation of conversations) {
    await show(api, conversation, limit);
    const { userId } = conversation;
    const threadIds = [...sent.threads.values()].filter((thread) => thread.userId === userId);
    await showMinds(api, { userId, threadIds: threadIds.map(({ threadId }) => threadId) }, minds, limit);
  }
  process.stdout.write(
    `\n${totals.messages} messages sent, ${totals.duplicates} duplicates · ${totals.batches} batches, ${totals.failed} failed · ` +
      `memories: ${totals.inserted} inserted, ${totals.updated} updated, ${totals.skipped} duplicates, ` +
      `${totals.quarantined} quarantined\n`,
  );
  if (totals.failed > 0) process.exitCode = 1;
}

async function send(api, conversations, bar, totals) {
  const posts = conversations.flatMap((conversation) => conversation.posts);
  const messages = posts.reduce((sum, post) => sum + post.messages.length, 0);
  const sending = bar.create(messages, 0, { what: 'sending   ' });
  const batchIds = new Set();
  const threads = new Map();
  for (const { userId, name } of conversations) {
    // Before the messages: insights are about the user alone.
    if (name !== null)
      await api.call('PUT', `/v1/users/${encodeURIComponent(userId)}/context`, { preferred_name: name });
  }
  for (const post of posts) {
    const accepted = await api.call('POST', '/v1/conversations', post);
    for (const id of accepted.batch_ids) batchIds.add(id);
    threads.set(accepted.conversation_id, { userId: post.user_id, threadId: accepted.thread_id });
    totals.messages += post.messages.length;
    totals.duplicates += accepted.duplicates;
    sending.increment(post.messages.length);
  }
  return { batchIds: [...batchIds], threads };
}

async function show(api, { userId, question }, limit) {
  const list = await api.call('GET', `/v1/memories?user_id=${encodeURIComponent(userId)}&limit=${limit}`);
  process.stdout.write(`\nMemories of ${userId} (the last ${list.items.length}):\n`);
  for (const memory of list.items) {
    process.stdout.write(`  [${memory.category}] ${memory.content}\n`);
    for (const source of memory.sources) {
      const speaker = source.actor_id ? `${source.actor_id}, ` : '';
      process.stdout.write(`      "${source.quote}" (${speaker}${source.said_at.slice(0, 10)})\n`);
    }
  }
  const query = values.query ?? question ?? 'What does the user like?';
  const { memories } = await api.call('POST', '/v1/memory/query', { query, filters: { user_id: userId }, top_k: 5 });
  process.stdout.write(`\nmemory.query: ${query}\n`);
  if (memories.length === 0) process.stdout.write('  no memories found\n');
  for (const memory of memories) process.stdout.write(`  - ${memory.text}\n`);
}

if (values.help) {
  process.stdout.write(`${USAGE}\n`);
} else {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
