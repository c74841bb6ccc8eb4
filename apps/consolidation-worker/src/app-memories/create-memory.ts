import {
  type AppMemorySource,
  checkAppMemory,
  ENERGY_PRICES,
  type KnownUser,
  pauseForEventLoop,
  runInSlices,
} from '@annals/domain';
import {
  buildAppMemoryPrompt,
  describeAppMemoryProblem,
  type LLMErrorType,
  labelSpeakers,
  MAX_APP_MEMORY_OUTPUT_TOKENS,
  parseAppMemory,
} from '@annals/llm-core';
import { createLocalAppMemory } from '@annals/local-provider';
import { type JobAttempt, type MindCaller, type MindRun, type MindSetback, rejectAnswer } from '@annals/runtime';
import type { SummarizableMessage } from '@annals/storage';

/** What a memory is made of. */
export interface MemoryMaterial {
  readonly user: KnownUser;
  /** Of the conversation, in order. */
  readonly messages: readonly SummarizableMessage[];
  /** The stored summary; null without one. */
  readonly summary: string | null;
  /** Epoch ms of the end. */
  readonly endedAt: number;
}

/** A memory that passed the checks. */
export interface MadeMemory {
  readonly content: string;
  /** What it rests on. */
  readonly messageIds: readonly string[];
  readonly provider: string;
  readonly model: string | null;
}

/** Null: the conversation is worth no memory. */
export type MemoryCreation =
  | { readonly outcome: 'made'; readonly memory: MadeMemory | null }
  | { readonly outcome: 'failed'; readonly code: LLMErrorType | 'invalid_answer' }
  | Extract<MindSetback, { outcome: 'wait' }>;

/** By rules, without cost (docs/reference/app-memories.md#app-memories-without-a-model). What the checks refuse is not made. */
export async function createByRules(
  { user, messages }: MemoryMaterial,
  { signal }: Pick<JobAttempt, 'signal'>,
): Promise<MadeMemory | null> {
  const conversation = messages.map(({ id, role, actorId, content, saidAt }) => {
    return { id, role, actorId, content, createdAt: saidAt };
  });
  const made = await runInSlices(createLocalAppMemory(conversation, user), async () => {
    signal.throwIfAborted();
    await pauseForEventLoop();
  });
  if (!made) return null;
  const sources = messages.filter(({ id }) => made.messageIds.includes(id));
  const label = labelSpeakers(messages, user);
  if (checkAppMemory(made.content, sources, [...user.names, ...sources.map(label)]).length > 0) return null;
  return { ...made, provider: 'local', model: null };
}

/** By one question to a model, whose answer may state only what it was shown; sent back once when it does not. */
export async function createByModel(
  { user, messages, summary, endedAt }: MemoryMaterial,
  question: { readonly run: MindRun; readonly caller: MindCaller; readonly timeLimitMs: number },
  { signal, withoutSlot }: JobAttempt,
): Promise<MemoryCreation> {
  const label = labelSpeakers(messages, user);
  const spoken = messages.map((message) => ({ speaker: label(message), content: message.content }));
  const prompt = buildAppMemoryPrompt({ summary, messages: spoken });
  const sources: AppMemorySource[] = prompt.shown.map(({ at, content }) => ({ content, saidAt: messages[at]!.saidAt }));
  if (summary !== null) sources.push({ content: summary, saidAt: endedAt });
  const names = [...user.names, ...prompt.shown.map(({ at }) => spoken[at]!.speaker)];
  const { caller, ...limits } = question;
  const answer = await caller.call({
    ...limits,
    operation: 'app_memory',
    task: 'remember_app_conversation',
    prompt,
    maxOutputTokens: MAX_APP_MEMORY_OUTPUT_TOKENS,
    energy: ENERGY_PRICES.app_memory,
    signal,
    withoutSlot,
    // In an object: null, worth no memory, is an answer too.
    parse: (text) => ({ content: parseAppMemory(text) }),
    describeProblem({ content }) {
      const faults = content === null ? [] : checkAppMemory(content, sources, names);
      return faults.length === 0 ? null : describeAppMemoryProblem(faults);
    },
  });
  if (answer.outcome !== 'answered') return answer;
  if (answer.problem !== null) {
    return rejectAnswer(question.run, answer) ?? { outcome: 'failed', code: 'invalid_answer' };
  }
  const { content } = answer.value;
  if (content === null) return { outcome: 'made', memory: null };
  // A summary is of all messages, so that what it says may be in any of them.
  const basis = summary === null ? prompt.shown.map(({ at }) => messages[at]!) : messages;
  const { name: provider, model } = answer.provider;
  return { outcome: 'made', memory: { content, messageIds: basis.map(({ id }) => id), provider, model } };
}
