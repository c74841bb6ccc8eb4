import { renderIsoDay } from '@annals/english';
import { toInertLine } from '../text/inert-line.js';
import { type AppMemory, MAX_APP_MEMORIES } from './types.js';

/**
 * Where an app puts its memories into a prompt (docs/reference/app-memories.md#three-places-for-the-context). The text is
 * the same everywhere; a selection is about many conversations and counts for none.
 */
export type AppContextPlace =
  | {
      /** `unanswered`: before an answer is written. `review`: of a completed conversation. */
      readonly place: 'unanswered' | 'review';
      /** Null for one that is not stored yet: it counts for none. */
      readonly conversationId: string | null;
    }
  | {
      /** Of a conversation to improve. */
      readonly place: 'selection';
    };

export interface AppContext {
  /** Empty without memories. */
  readonly text: string;
  /** The memories of the text, in its order. */
  readonly memoryIds: readonly string[];
  /** The conversation that counts as one with memories injected; null without memories, and for a selection. */
  readonly injectedInto: string | null;
}

/** Prepares the memories of an app for a prompt. */
export function renderAppContext(appName: string, memories: readonly AppMemory[], at: AppContextPlace): AppContext {
  const shown = memories.toSorted(compareByChange).slice(0, MAX_APP_MEMORIES);
  const conversationId = at.place === 'selection' ? null : at.conversationId;
  return {
    text: shown.length === 0 ? '' : renderMemories(appName, shown),
    memoryIds: shown.map(({ id }) => id),
    injectedInto: shown.length === 0 ? null : conversationId,
  };
}

/** The latest change first; ids decide among equal times. */
function compareByChange(a: AppMemory, b: AppMemory): number {
  return b.updatedAt - a.updatedAt || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

function renderMemories(appName: string, memories: readonly AppMemory[]): string {
  const lines = memories.map(
    ({ content, createdAt }, at) => `${at + 1}. [Created: ${renderIsoDay(createdAt)}] ${toInertLine(content)}`,
  );
  return [
    `(memories for app: ${toInertLine(appName)})`,
    'The following are memories from previous conversations with this app:',
    '',
    ...lines,
    '',
    'Use these memories to provide context-aware responses.',
  ].join('\n');
}
