import { createSliceMeter, type Pause, pauseForEventLoop, runInSlices } from '@annals/domain';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { ConversationMessage } from '../provider/llm-request.js';
import { detectMoodDeltas, type MoodDelta } from './detect-mood-deltas.js';
import { loadMoodScorer } from './score-mood.js';

/** Local analysis of messages before a model call, by message id. */
export interface ConversationAnalysis {
  /** −1 (bad) to 1 (good); 0 for neutral text and for languages other than English. */
  readonly moods: ReadonlyMap<string, number>;
  readonly deltas: ReadonlyMap<string, MoodDelta>;
  /** Estimated tokens of each message's content. */
  readonly tokens: ReadonlyMap<string, number>;
  /** Number of messages found in the cache, and of messages analysed now. */
  readonly hits: number;
  readonly misses: number;
}

export interface AnalysisOptions {
  /** A local estimator, such as `LLMProvider.estimateTokens`. Each cache must be used with one estimator only. */
  readonly estimateTokens: (text: string) => number;
  readonly cache?: AnalysisCache;
  /** Between messages; default: a turn of the event loop. */
  readonly pause?: Pause;
}

/**
 * Computes mood, mood delta and token estimate of every message. `messages` are in the order of the conversation and
 * include earlier ones (context), so that the first message of a batch can be compared with a previous one.
 */
export async function analyzeConversation(
  messages: readonly ConversationMessage[],
  { estimateTokens, cache, pause = pauseForEventLoop }: AnalysisOptions,
): Promise<ConversationAnalysis> {
  const scoreMood = await loadMoodScorer();
  const moods = new Map<string, number>();
  const tokens = new Map<string, number>();
  const meter = createSliceMeter();
  let hits = 0;
  for (const message of messages) {
    await runInSlices(meter(message.content.length), pause);
    const known = cache?.get(message);
    if (known) hits += 1;
    const analysis = known ?? { mood: scoreMood(message.content), tokens: estimateTokens(message.content) };
    if (!known) cache?.set(message, analysis);
    moods.set(message.id, analysis.mood);
    tokens.set(message.id, analysis.tokens);
  }
  return { moods, deltas: detectMoodDeltas(messages, moods), tokens, hits, misses: messages.length - hits };
}

/** Results of analysing the text of one message. */
export interface MessageAnalysis {
  readonly mood: number;
  readonly tokens: number;
}

/**
 * Caches the analysis of messages, so that messages shown again as context of the next batch are not analysed again
 * (docs/reference/extraction.md#cache-of-message-analyses). Keys contain a hash of the content, never the content; the
 * least recently used entries are evicted first.
 */
export class AnalysisCache {
  private readonly entries: LRUCache<string, MessageAnalysis>;
  /** A prompt has two fixed texts; those of older prompt versions are evicted. */
  private readonly fixedTexts = new LRUCache<string, number>({ max: 8 });

  constructor(capacity = 20_000) {
    this.entries = new LRUCache({ max: capacity });
  }

  get(message: Pick<ConversationMessage, 'id' | 'content'>): MessageAnalysis | undefined {
    return this.entries.get(buildKey(message));
  }

  set(message: Pick<ConversationMessage, 'id' | 'content'>, analysis: MessageAnalysis): void {
    this.entries.set(buildKey(message), analysis);
  }

  /** Tokens of a text that is part of every prompt, estimated once per text. */
  estimateCached(text: string, estimateTokens: (text: string) => number): number {
    const tokens = this.fixedTexts.get(text) ?? estimateTokens(text);
    this.fixedTexts.set(text, tokens);
    return tokens;
  }
}

function buildKey({ id, content }: Pick<ConversationMessage, 'id' | 'content'>): string {
  return `${hash('sha256', content, 'base64url')}:${id}`;
}
