import type { ConversationMessage } from '../provider/llm-request.js';
import { loadMoodScorer } from './score-mood.js';
import { detectMoodDeltas } from './detect-mood-deltas.js';
import type { MoodDelta } from './detect-mood-deltas.js';
import type { AnalysisCache, MessageAnalysis } from './analysis-cache.js';

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
}

/**
 * Computes mood, mood delta and token estimate of every message. `messages` are in the order of the conversation and
 * include earlier ones (context), so that the first message of a batch can be compared with a previous one.
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
