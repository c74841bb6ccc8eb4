import { ManualClock, runAtOnce, SeededRng, UNKNOWN_USER } from '@annals/domain';
import {
  AnalysisCache,
  createProvider,
  DEFAULT_PROMPT_TEMPLATE,
  type LLMError,
  type LLMProvider,
  loadPricingCatalog,
} from '@annals/llm-core';
import { createLogger, createMetrics } from '@annals/observability';
import type { AnsweredCall, FailedCall, ModelCall, ModelCallResult, ModelCalls } from '@annals/runtime';
import type { StoredTurn } from '@annals/storage';
import { answerFromPrompt, type FakeModels, startFakeModels } from '@annals/testing';
import { buildBatchRequest } from './call-model/batch-request.js';
import { callModel } from './call-model/call-model.js';
import { groundAnswer } from './ground/ground-answer.js';
import { readBatch } from './ground/read-batch.js';
import { prepareConversation } from './prompt/prepare-conversation.js';
import { type BatchTurns, listOrder, selectExcerpt } from './prompt/select-excerpt.js';

const RUNS = 200;
const CONVERSATIONS = 4;
const START = Date.UTC(2026, 0, 1);

const WORDS = ['I moved to Lisbon.', 'I love my new job!', 'My sister is Ana.', 'I am sad about it.', 'I play chess.'];

/** A conversation of user and assistant turns, the same for the same number. */
function makeTurns(conversation: number): BatchTurns {
  const turns = Array.from({ length: 14 }, (_, seq): StoredTurn => {
    const role = seq % 3 === 2 ? 'assistant' : 'user';
    const content = `${WORDS[(seq * 3 + conversation) % WORDS.length]} It is about mark-${conversation}-${seq}.`;
    return { id: `c${conversation}-m${seq}`, seq, role, actorId: null, content, saidAt: START + seq * 60_000 };
  });
  return { context: turns.slice(0, 4), messages: turns.slice(4) };
}

/** Admits every call; admission control has tests of its own. */
const admitAll: Pick<ModelCalls, 'run'> = {
  async run<T>(call: ModelCall<T>): Promise<ModelCallResult<T>> {
    const { value, usage, costMicroUsd } = await call.invoke(call.signal);
    const answered = { outcome: 'answered', callId: 'call', value, usage, costMicroUsd, durationMs: 0 };
    return {
      ...answered,
      settlement: {},
      close: () => Promise.resolve(),
      reject: (error: LLMError): Promise<FailedCall> =>
        Promise.resolve({ outcome: 'failed', callId: 'call', error, costMicroUsd }),
    } as unknown as AnsweredCall<T>;
  },
};

describe('extraction of the same conversations', () => {
  const clock = new ManualClock(START);
  const chance = new SeededRng(7);
  const pick = (most: number) => Math.floor(chance.nextFloat() * most);
  let models: FakeModels;
  let provider: LLMProvider;

  beforeAll(async () => {
    models = await startFakeModels({ answer: (request) => shuffleMemories(answerFromPrompt(request)) });
    provider = createProvider({
      provider: 'claude',
      apiKey: 'sk-test',
      model: 'claude-haiku-5-5',
      baseUrl: models.anthropicUrl,
      timeoutMs: 20_000,
      catalog: loadPricingCatalog(),
      clock,
    });
    // Varies delay and chunk size, and sometimes makes the first answer unreadable.
    models.behave(({ userTexts }) => {
      if (userTexts.length === 1 && pick(5) === 0) return { kind: 'answer', text: 'Let me think.', delayMs: pick(3) };
      return { kind: 'answer', delayMs: pick(6), pieceLength: 1 + pick(300) };
    });
  });
  afterAll(() => models?.close());

  /** A model does not guarantee an order. */
  function shuffleMemories(text: string): string {
    const answer = JSON.parse(text) as { memories: object[] };
    const memories = answer.memories.map((memory) => [chance.nextFloat(), memory] as const);
    return JSON.stringify({ ...answer, memories: memories.toSorted(([a], [b]) => a - b).map(([, memory]) => memory) });
  }

  const deps = () => ({
    chain: [provider] as const,
    modelCalls: admitAll as ModelCalls,
    clock,
    rng: new SeededRng(pick(1_000)),
    logger: createLogger({ service: 'test', level: 'error', clock, destination: { write: () => undefined } }),
    metrics: createMetrics({ service: 'test', version: '0', processMetrics: false }),
    options: { timeoutMs: 20_000, maxOutputTokens: 4_096, streaming: pick(2) === 0 },
  });

  async function extract(turns: BatchTurns, cache: AnalysisCache): Promise<string> {
    const excerpt = selectExcerpt(turns);
    const prepared = await prepareConversation(excerpt, listOrder(turns), {
      template: DEFAULT_PROMPT_TEMPLATE,
      salience: { topK: 24, maxTokens: 3_000 },
      maxInputTokens: 100_000,
      estimateTokens: (text) => provider.estimateTokens(text),
      cache,
    });
    const ids = { tenantId: 't', userId: 'u', conversationId: 'c', batchId: 'b' };
    const batch = { ...ids, fence: 1, generation: 1, attempts: 1, acceptedAt: START };
    const attempt = {
      attempt: 1,
      attemptsLeft: 0,
      signal: new AbortController().signal,
      withoutSlot: <T>(wait: () => Promise<T>) => wait(),
    };
    const result = await callModel(
      deps(),
      buildBatchRequest(batch, excerpt, prepared, attempt, UNKNOWN_USER),
      [],
      300_000,
    );
    if ('ends' in result) throw new Error(`There is no parsed answer: ${result.ends}.`);
    const reading = runAtOnce(readBatch(turns, UNKNOWN_USER));
    return JSON.stringify(runAtOnce(groundAnswer(result.answer.memories, turns.messages, reading)));
  }

  it(`results in the same memories, byte for byte, in ${RUNS} runs with random schedules`, async () => {
    const conversations = Array.from({ length: CONVERSATIONS }, (_, index) => makeTurns(index));
    const seen = conversations.map(() => new Set<string>());
    let cache = new AnalysisCache();
    for (let run = 0; run < RUNS; run += 1) {
      if (pick(10) === 0) cache = new AnalysisCache();
      const order = conversations.map((_, index) => [chance.nextFloat(), index] as const).toSorted(([a], [b]) => a - b);
      await Promise.all(
        order.map(async ([, index]) => void seen[index]!.add(await extract(conversations[index]!, cache))),
      );
    }
    expect(seen.map(({ size }) => size)).toEqual(conversations.map(() => 1));
    expect(JSON.parse([...seen[0]!][0]!)).not.toHaveLength(0);
    const corrected = models.journal.entries.filter(({ request }) => request.userTexts.length > 1);
    expect(corrected.length).toBeGreaterThan(0);
  });
});
