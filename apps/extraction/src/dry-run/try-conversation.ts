import type { ConversationTrial, ExtractedItem, TriedMemory } from '@annals/contracts';
import { buildChanges } from '@annals/domain';
import { LLMError } from '@annals/llm-core';
import { PermanentJobError } from '@annals/messaging';
import type { BatchEnding, ClaimedBatch, ClaimedWork, Infrastructure, JobAttempt } from '@annals/runtime';
import {
  type DryRunAnswer,
  type DryRunInput,
  planStatements,
  type StoredTurn,
  type TriedStatement,
} from '@annals/storage';
import type { ExtractionService, TriedExtraction } from '../extraction/extraction.service.js';
import { EARLIER_MESSAGES } from '../extraction/procedures/find-batch-workflows.js';
import { type BatchTurns, CONTEXT_MESSAGES } from '../extraction/prompt/select-excerpt.js';
import type { CountedCalls } from './counted-calls.js';

interface Trial {
  readonly work: ClaimedWork;
  readonly input: DryRunInput;
  readonly attempt: JobAttempt;
}

interface Trier {
  readonly service: Pick<ExtractionService, 'tryOut'>;
  /** Null in a process without remote models. */
  readonly calls: CountedCalls | null;
  readonly infrastructure: Pick<Infrastructure, 'database' | 'clock' | 'ids'>;
}

/** Extracts from messages as from the batches that they would be, and plans the result on what is stored. */
export async function tryConversation(trier: Trier, trial: Trial): Promise<DryRunAnswer> {
  const found: TriedExtraction[] = [];
  try {
    for (const turns of divide(trial.input)) {
      const tried = await trier.service.tryOut(
        toBatch(trial, trier),
        { turns, calls: [], ...speakersOf(trial.input) },
        trial.attempt,
      );
      if ('ends' in tried) return explainEnding(tried);
      found.push(tried);
    }
  } catch (error) {
    // A repetition would be the same: who waits is told, and may ask again.
    if (error instanceof PermanentJobError) return { ok: false, code: error.code, until: null };
    if (error instanceof LLMError) return { ok: false, code: error.type, until: null };
    throw error;
  }
  return { ok: true, trial: await planFound(trier, trial, found) };
}

const speakersOf = ({ userNames, agentId }: DryRunInput) => ({ userNames, agentId });

/** What the steps of an extraction are told of a batch. */
function toBatch({ work, input }: Trial, { infrastructure: { clock } }: Trier): ClaimedBatch {
  const { tenantId, subjectId, generation, fence, attempts } = work;
  return {
    tenantId,
    batchId: subjectId,
    conversationId: input.conversationId ?? subjectId,
    userId: input.userId,
    generation,
    fence,
    attempts,
    acceptedAt: clock.now(),
    isTrial: true,
  };
}

function* divide({ messages, context, maxMessages }: DryRunInput): Generator<BatchTurns> {
  const first = (context.at(-1)?.seq ?? -1) + 1;
  const turns = messages.map(({ place: _place, ...turn }, index): StoredTurn => ({ ...turn, seq: first + index }));
  for (let start = 0; start < turns.length; start += maxMessages) {
    const earlier = [...context, ...turns.slice(0, start)].slice(-EARLIER_MESSAGES);
    yield { messages: turns.slice(start, start + maxMessages), context: earlier.slice(-CONTEXT_MESSAGES), earlier };
  }
}

/** A batch would wait; who waits for an answer is told until when. */
function explainEnding(ending: BatchEnding): DryRunAnswer {
  switch (ending.ends) {
    case 'deferred':
      return { ok: false, code: ending.reason, until: ending.until };
    case 'delayed':
      return { ok: false, code: 'rate_limit', until: null };
    default:
      return { ok: false, code: 'unknown', until: null };
  }
}

async function planFound(
  { calls, infrastructure }: Trier,
  { work, input }: Trial,
  found: readonly TriedExtraction[],
): Promise<ConversationTrial> {
  const { database, clock, ids } = infrastructure;
  const now = clock.now();
  const items = joinItems(found);
  const last = found.at(-1);
  const saidAt = new Map([...input.context, ...input.messages].map((message) => [message.id, message.saidAt]));
  const { provider = 'none', model = 'none' } = last ?? {};
  const requested = buildChanges({ provider, model, costMicroUsd: 0, items, saidAt, acceptedAt: now });
  const planned = await database.readTenant(work.tenantId, (tx) => planStatements(tx, input, requested, { now, ids }));
  const places = new Map(input.messages.map(({ id, place }) => [id, place]));
  return {
    memories: requested.changes.map((change, index): TriedMemory => {
      if (change.kind !== 'observe') throw new Error(`A statement was planned as ${change.kind}.`);
      return describeMemory(change.memory, planned[index]!, places);
    }),
    rejected: found.reduce((sum, { rejected }) => sum + rejected, 0),
    cost: {
      micro_usd: calls?.costMicroUsd ?? 0,
      tokens: calls?.tokens ?? { input: 0, output: 0 },
      provider: provider === 'none' ? null : provider,
      model: model === 'none' ? null : model,
    },
  };
}

/** Of all batches, with relations mapped to their new indexes. */
function joinItems(found: readonly TriedExtraction[]): ExtractedItem[] {
  let offset = 0;
  return found.flatMap(({ items }) => {
    const shifted = items.map((item) => ({
      ...item,
      ...(item.relations && {
        relations: item.relations.map((relation) => ({ ...relation, to_index: relation.to_index + offset })),
      }),
    }));
    offset += items.length;
    return shifted;
  });
}

type Planned = Extract<ReturnType<typeof buildChanges>['changes'][number], { kind: 'observe' }>['memory'];

function describeMemory(
  memory: Planned,
  { outcome, reason, memoryId, supersedes }: TriedStatement,
  places: ReadonlyMap<string, number>,
): TriedMemory {
  const { content, category, type, importance, confidence, validFrom, validTo, sources } = memory;
  return {
    outcome,
    content,
    category,
    type,
    importance,
    confidence,
    valid_from: new Date(validFrom).toISOString(),
    valid_to: validTo === null ? null : new Date(validTo).toISOString(),
    evidence: sources.flatMap(({ messageId, quote }) => {
      const message = places.get(messageId);
      return message === undefined ? [] : [{ message, quote }];
    }),
    reason,
    memory_id: memoryId,
    supersedes: [...supersedes],
  };
}
