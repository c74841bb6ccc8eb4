import { cutSlices } from '../text/cut-slices.js';
import { countCharacters } from '../writing/check-writing.js';
import type { InsightInput, InsightMemory, InsightMessage, ShownEvidence } from './types.js';

const MAX_ACTIVITY = 5;
const MAX_MEMORIES = 3;
/** In characters. */
const MAX_SNIPPET = 1_000;

export interface InsightSources {
  /** The person's messages of all conversations; the latest ones are enough. */
  readonly messages: readonly InsightMessage[];
  /** The latest conversation, with the messages of everybody. */
  readonly conversation: readonly InsightMessage[];
  /** Memories since the last run. */
  readonly memories: readonly InsightMemory[];
}

/** Chooses what a model is shown (docs/reference/insights.md#what-is-read). */
export function chooseInsightInput({ messages, conversation, memories }: InsightSources): InsightInput {
  const snippet = cutSnippet(sortByTime(conversation));
  const inSnippet = new Set(snippet.map(({ id }) => id));
  const others = messages.filter(({ id, isUser }) => isUser && !inSnippet.has(id));
  return {
    activity: sortByTime(others).slice(-MAX_ACTIVITY),
    memories: sortByTime(memories).slice(-MAX_MEMORIES),
    snippet,
  };
}

/** What insights can cite, with the labels of the prompt: the person's messages in their order, then memories. */
export function listShownEvidence({ activity, memories, snippet }: InsightInput): ShownEvidence[] {
  const messages = [...activity, ...snippet].filter(({ isUser }) => isUser);
  return [
    ...messages.map(({ id, content, saidAt }, position) => ({
      label: `m${position + 1}`,
      kind: 'message' as const,
      id,
      content,
      saidAt,
      messageId: id,
    })),
    ...memories.map(({ id, content, saidAt, messageId }, position) => ({
      label: `k${position + 1}`,
      kind: 'memory' as const,
      id,
      content,
      saidAt,
      messageId,
    })),
  ];
}

/** The latest whole messages; of a last message that is too long alone, its beginning. */
function cutSnippet(conversation: readonly InsightMessage[]): InsightMessage[] {
  const snippet: InsightMessage[] = [];
  let left = MAX_SNIPPET;
  for (const message of conversation.toReversed()) {
    left -= countCharacters(message.content);
    if (left < 0) break;
    snippet.push(message);
  }
  const last = conversation.at(-1);
  if (snippet.length > 0 || !last) return snippet.toReversed();
  const [content = ''] = cutSlices(last.content, MAX_SNIPPET);
  return [{ ...last, content: content.trimEnd() }];
}

/** Ids decide among equal times, so that the same data give the same prompt. */
function sortByTime<Item extends { readonly id: string; readonly saidAt: number }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => a.saidAt - b.saidAt || (a.id < b.id ? -1 : 1));
}
