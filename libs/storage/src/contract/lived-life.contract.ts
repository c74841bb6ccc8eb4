import { saveCheckpoint } from '../checkpoints/index.js';
import type { Tx } from '../database/transaction.js';
import { storeIdempotent } from '../idempotency/index.js';
import { openReservation, settleReservation } from '../ledger/index.js';
import { recordAccess } from '../lifecycle/index.js';
import { claimForExtraction, reservationOf, settlementOf } from './call.contract.js';
import { persistBatch } from './persist-batch.contract.js';
import { post, say } from './post.contract.js';
import { RecallBench } from './recall.contract.js';
import type { StorageBench } from './storage-bench.contract.js';

export interface LivedLife {
  /** Two threads: the first was read and remembered, the second waits with a call that is running. */
  readonly conversations: readonly [done: string, waiting: string];
  readonly batches: readonly [done: string, waiting: string];
  /** The first rests on the first conversation, the second was written by hand. */
  readonly memories: readonly string[];
}

/** Leaves something of a user in every table that can hold something of one; `word` is in all that they say. */
export async function liveLife(
  bench: StorageBench,
  tenantId: string,
  userId: string,
  word: string,
): Promise<LivedLife> {
  const recall = new RecallBench(bench, tenantId);
  const now = bench.clock.now();
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => bench.inTenant(tenantId, work);
  const names = { userId, agentId: `agent ${word}`, runId: `run ${word}`, appId: `app ${word}`, flush: true };
  const spoken = { ...say(`I collect ${word} stones.`, `id ${word}`), actorId: `actor ${word}` };
  const done = await post(bench, tenantId, { ...names, threadId: `thread ${word}`, messages: [spoken] });
  const doneId = done.batchIds[0]!;
  await inTenant((tx) => storeIdempotent(tx, keptAnswer(userId, word, now)));
  await recall.index(doneId);
  const memories = await extractMemory(bench, tenantId, { userId, batchId: doneId, word });
  const [byHand] = await recall.remember(userId, `The user drinks ${word} tea.`);
  await inTenant((tx) => recordAccess(tx, [{ memoryId: byHand!, at: now, times: 1 }]));
  await recall.write(userId, { kind: 'edit', memoryId: byHand!, patch: { pinned: true } });
  const waiting = await post(bench, tenantId, {
    ...names,
    threadId: `second ${word}`,
    messages: [say(`And ${word}.`)],
  });
  const waitingId = waiting.batchIds[0]!;
  await callForBatch(bench, tenantId, { userId, batchId: waitingId, word });
  await inTenant((tx) =>
    saveCheckpoint(tx, {
      userId,
      threadId: `thread ${word}`,
      state: Buffer.from(JSON.stringify({ state: word })),
      expectedVersion: null,
      keepVersions: 5,
      now,
    }),
  );
  await leaveContext(bench, tenantId, { userId, batchId: doneId, word });
  return {
    conversations: [done.conversationId, waiting.conversationId],
    batches: [doneId, waitingId],
    memories: [...memories, byHand!],
  };
}

interface Part {
  readonly userId: string;
  readonly batchId: string;
  readonly word: string;
}

function keptAnswer(userId: string, word: string, now: number) {
  return {
    route: 'POST /v1/memories',
    key: word,
    requestHmac: Buffer.alloc(32),
    status: 201,
    response: { body: { content: word } },
    userId,
    now,
  };
}

/** Takes a batch through both stages: two memories that cite its message and are linked. */
async function extractMemory(
  bench: StorageBench,
  tenantId: string,
  { userId, batchId, word }: Part,
): Promise<string[]> {
  const [message] = await bench.look<{ id: string }>('SELECT id FROM messages WHERE batch_id = $1', [batchId]);
  const recall = new RecallBench(bench, tenantId);
  const changes = [`The user collects ${word} stones.`, `The user once met ${word}.`].map((content) =>
    recall.observe(content, {
      origin: 'extraction',
      rationale: word,
      emotionalContext: { mood: word },
      sources: [{ messageId: message!.id, quote: `${word} stones` }],
    }),
  );
  const links = [{ from: 0, to: 1, relationType: 'related_to' as const, strength: 0.9 }];
  return persistBatch(bench, tenantId, { userId, batchId, answer: word, changes, links });
}

/** One call that was paid and could not be read, and one that is running. */
async function callForBatch(bench: StorageBench, tenantId: string, { userId, batchId, word }: Part): Promise<void> {
  const fence = await claimForExtraction(bench, tenantId, batchId);
  const reservation = () => reservationOf(bench, { userId, batchId, fence, generation: 1 });
  const paid = reservation();
  const answer = { text: `{"${word}`, problem: `${word} is no JSON` };
  await bench.inTenant(tenantId, (tx) => openReservation(tx, paid));
  await bench.inTenant(tenantId, (tx) => settleReservation(tx, settlementOf(bench, paid.id, { answer })));
  await bench.inTenant(tenantId, (tx) => openReservation(tx, reservation()));
}

/** What other parts of the system write, as it stands in the tables. */
async function leaveContext(bench: StorageBench, tenantId: string, { userId, batchId, word }: Part): Promise<void> {
  const id = () => bench.ids.next();
  const at = new Date(bench.clock.now());
  await bench.look(
    `INSERT INTO user_contexts (tenant_id, user_id, id, revision, fields, updated_at) VALUES ($1, $2, $3, 1, $4, $5)`,
    [tenantId, userId, id(), JSON.stringify({ city: { value: word } }), at],
  );
  await bench.look(
    `INSERT INTO context_proposals (tenant_id, id, user_id, field, value, value_key, state, message_ids, said_at,
                                    created_at, expires_at)
     VALUES ($1, $2, $3, 'city', $4, $4, 'pending', '{}', $5, $5, $5)`,
    [tenantId, id(), userId, word, at],
  );
  await bench.look(
    `INSERT INTO reconciliations (tenant_id, batch_id, round, user_id, provider, model, prompt_version, shown, answer,
                                  created_at)
     VALUES ($1, $2, 1, $3, 'claude', 'claude-1', '1', $4, $5, $6)`,
    [tenantId, batchId, userId, JSON.stringify({ shown: word }), word, at],
  );
}
