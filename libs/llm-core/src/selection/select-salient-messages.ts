import type { ConversationMessage } from '../provider/llm-request.js';
import type { ConversationAnalysis } from './analyze-conversation.js';
import { DEFAULT_SALIENCE_CONFIG, computeTokenCap } from './salience-config.js';
import type { SalienceConfig } from './salience-config.js';
import { scoreSalience } from './score-salience.js';

export interface SalienceInput {
  /** The messages to select from, in the order of the conversation. */
  readonly messages: readonly ConversationMessage[];
  /** Analysis of at least these messages; see `analyzeConversation`. */
  readonly analysis: Pick<ConversationAnalysis, 'deltas' | 'tokens'>;
}

/** Selected and pruned messages, in the order of the conversation; stored with the extraction as diagnostics. */
export interface SalienceSelection {
  readonly selectedIds: readonly string[];
  readonly prunedIds: readonly string[];
  readonly prunedCount: number;
  /** Of the selected messages. */
  readonly estimatedTokens: number;
  /** Of the selected messages. */
  readonly scores: readonly { readonly id: string; readonly score: number }[];
}

interface Candidate {
  readonly id: string;
  readonly index: number;
  readonly score: number;
  readonly tokens: number;
}

/**
 * Selects the messages that a model is sent (docs/reference/extraction.md#choice-of-messages-by-salience). All of them
 * if they fit 90 % of `maxTokens`, because a message of low salience can state a fact (decision record 0011). Otherwise
 * the `topK` messages of highest salience with one neighbour on each side, without those of lowest salience until the
 * rest fits or only `minMessages` are left. Of equal scores the earlier message is selected, so that the selection is
 * deterministic.
 */
export function selectSalientMessages(
  { messages, analysis }: SalienceInput,
  config: SalienceConfig = DEFAULT_SALIENCE_CONFIG,
): SalienceSelection {
  const candidates = messages.map((message, index) =>
    scoreCandidate(message, index, messages.length, analysis, config),
  );
  const cap = computeTokenCap(config);
  const chosen = sumTokens(candidates) <= cap ? candidates : pruneToCap(addNeighbours(candidates, config), cap, config);
  const chosenIndexes = new Set(chosen.map(({ index }) => index));
  const selected = candidates.filter(({ index }) => chosenIndexes.has(index));
  const pruned = candidates.filter(({ index }) => !chosenIndexes.has(index));
  return {
    selectedIds: selected.map(({ id }) => id),
    prunedIds: pruned.map(({ id }) => id),
    prunedCount: pruned.length,
    estimatedTokens: sumTokens(selected),
    scores: selected.map(({ id, score }) => ({ id, score })),
  };
}

function scoreCandidate(
  { id, content }: ConversationMessage,
  index: number,
  total: number,
  { deltas, tokens }: SalienceInput['analysis'],
  config: SalienceConfig,
): Candidate {
  const estimate = tokens.get(id);
  if (estimate === undefined) throw new Error('A message has not been analysed: pass it to analyzeConversation first.');
  const deltaMagnitude = deltas.get(id)?.magnitude ?? 0;
  return { id, index, tokens: estimate, score: scoreSalience({ content, deltaMagnitude, index, total }, config) };
}

function addNeighbours(candidates: readonly Candidate[], { topK }: SalienceConfig): Candidate[] {
  const indexes = new Set<number>();
  for (const { index } of candidates.toSorted(compareCandidates).slice(0, topK)) {
    for (const position of [index - 1, index, index + 1]) indexes.add(position);
  }
  return candidates.filter(({ index }) => indexes.has(index));
}

function pruneToCap(candidates: readonly Candidate[], cap: number, { minMessages }: SalienceConfig): Candidate[] {
  const retained = candidates.toSorted(compareCandidates);
  let tokens = sumTokens(retained);
  while (tokens > cap && retained.length > minMessages) tokens -= retained.pop()?.tokens ?? 0;
  return retained;
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return b.score - a.score || a.index - b.index;
}

function sumTokens(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { tokens }) => sum + tokens, 0);
}
