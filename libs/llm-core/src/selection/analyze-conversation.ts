import type { ConversationMessage } from '../provider/llm-request.js';
import { loadMoodScorer } from './score-mood.js';
import { detectMoodDeltas } from './detect-mood-deltas.js';
import type { MoodDelta } from './detect-mood-deltas.js';
import type { AnalysisCache, MessageAnalysis } from './analysis-cache.js';

/** What is known about messages before a model sees them, by message id. */
export interface ConversationAnalysis {
  /** −1 (bad) to 1 (good); 0 for neutral text and for languages other than English. */
  readonly moods: ReadonlyMap<string, number>;
  readonly deltas: ReadonlyMap<string, MoodDelta>;
  /** Estimated tokens of each message's content. */
  readonly tokens: ReadonlyMap<string, number>;
  /** Messages whose mood and tokens came out of the cache, and messages that were analysed now. */
  readonly hits: number;
  readonly misses: number;
}

export interface AnalysisOptions {
  /** A local estimate, such as `LLMProvider.estimateTokens`. One cache serves one estimator. */
  readonly estimateTokens: (text: string) => number;
  readonly cache?: AnalysisCache;
}

/**
 * Mood, mood delta and token estimate of every message. `messages` are a conversation's messages in order, earlier ones
 * (context) included, so that the first message of a batch has something to be compared with.
 */
export async function analyzeConversation(
  messages: readonly ConversationMessage[],
  { estimateTokens, cache }: AnalysisOptions,
): Promise<ConversationAnalysis> {
  const scoreMood = await loadMoodScorer();
  const moods = new Map<string, number>();
  const tokens = new Map<string, number>();
  let hits = 0;
  for (const message of messages) {
    const known = cache?.get(message);
    if (known) hits += 1;
    const analysis = known ?? { mood: scoreMood(message.content), tokens: estimateTokens(message.content) };
    if (!known) cache?.set(message, analysis);
    record(message.id, analysis);
  }
  return { moods, deltas: detectMoodDeltas(messages, moods), tokens, hits, misses: messages.length - hits };

  function record(id: string, analysis: MessageAnalysis): void {
    moods.set(id, analysis.mood);
    tokens.set(id, analysis.tokens);
  }
}
