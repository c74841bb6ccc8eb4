import type { MemoryQueryAnswer } from '@annals/contracts';
import { type ApiClient, runClosedLoop } from '../frame/load.ts';
import type { Conversation, Question } from './data-set.ts';
import { call, type MessageIds } from './ingest.ts';
import type { Answers, ReturnedText } from './score.ts';

/** Larger than any result: depth is measured without a token budget, and a token budget without a depth. */
const MAX_TOKENS = 100_000;
const MAX_DEPTH = 100;
const CALLERS = 3;

export interface QueryResult {
  readonly question: Question;
  readonly answers: Answers;
}

/** Sends every question with evidence to `memory.query`: at each depth and within each token budget. */
export async function queryAll(
  client: ApiClient,
  conversations: readonly Conversation[],
  messageIds: MessageIds,
): Promise<{ results: QueryResult[]; samplesMs: number[] }> {
  const jobs = conversations.flatMap(({ id, questions }) =>
    questions.filter(({ evidence }) => evidence.length > 0).map((question) => ({ userId: id, question })),
  );
  const results: QueryResult[] = [];
  const { samples } = await runClosedLoop(CALLERS, jobs.length, async (index) => {
    const { userId, question } = jobs[index]!;
    const queryAt = (topK: number, budgetTokens: number) =>
      query(client, messageIds, {
        query: question.question,
        filters: { user_id: userId },
        top_k: topK,
        budget_tokens: budgetTokens,
        include_related: false,
      });
    const answers: Answers = {
      atDepth: {
        5: await queryAt(5, MAX_TOKENS),
        10: await queryAt(10, MAX_TOKENS),
        20: await queryAt(20, MAX_TOKENS),
      },
      withinTokens: { 500: await queryAt(MAX_DEPTH, 500), 1_000: await queryAt(MAX_DEPTH, 1_000) },
    };
    results[index] = { question, answers };
  });
  return { results, samplesMs: samples.map((sample) => sample / 5) };
}

async function query(client: ApiClient, messageIds: MessageIds, body: object): Promise<ReturnedText[]> {
  const { memories } = await call<MemoryQueryAnswer>(client.post('/v1/memory/query', JSON.stringify(body)));
  return memories.map(({ text, sources }) => ({
    text,
    messageIds: sources.map(({ message_id: id }) => messageIds.get(id) ?? id),
  }));
}
