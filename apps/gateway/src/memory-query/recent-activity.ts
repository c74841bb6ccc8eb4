import type { QueryBullet } from '@annals/contracts';
import { fitSentences, labelTurnSpeaker, removeHidden, toInertLine } from '@annals/domain';
import { renderDay } from '@annals/english';
import type { ActivitySummary, ActivityTurn } from '@annals/storage';
import type { QueryPlan } from './plan-query.js';

/** Derived without being stored (docs/reference/summaries.md#recent-activity). */
export const RECENT_ACTIVITY = 'recent_activity';

/** Filters that a summary or a turn of several speakers can meet; with any other there is no recent activity. */
const MET_FILTERS: ReadonlySet<string> = new Set(['user_id', 'thread_id', 'category']);

/** Whether a request without a query lists what its user did in the last days. */
export function listsRecentActivity({ view, body, scope }: QueryPlan): boolean {
  const { filters, types, as_of, known_at } = body;
  return (
    (view.categories?.includes(RECENT_ACTIVITY) ?? true) &&
    !(view.exceptCategories?.includes(RECENT_ACTIVITY) ?? false) &&
    (filters.category === undefined || filters.category === RECENT_ACTIVITY) &&
    (types === undefined || types.includes('turn')) &&
    scope.mentions === null &&
    (as_of ?? known_at) === undefined &&
    Object.entries(filters).every(([name, value]) => MET_FILTERS.has(name) || value === undefined || value === null)
  );
}

export interface RecentActivity {
  readonly entries: readonly (ActivitySummary | ActivityTurn)[];
  /** The caller's own ids of messages, by our id. */
  readonly externalIds: ReadonlyMap<string, string>;
}

export const NO_ACTIVITY: RecentActivity = { entries: [], externalIds: new Map() };

/** As lines of an answer, newest first, as far as the token budget allows: of a summary at least its best sentence. */
export function renderRecentActivity(
  { entries, externalIds }: RecentActivity,
  userId: string,
  { budgetTokens, countTokens }: { readonly budgetTokens: number; readonly countTokens: (text: string) => number },
): { bullets: QueryBullet[]; tokens: number } {
  const bullets: QueryBullet[] = [];
  let tokens = 0;
  for (const entry of entries) {
    const { text, messageIds } = renderEntry(entry, userId, budgetTokens - tokens, countTokens);
    const cost = countTokens(text);
    if (messageIds.length === 0 || tokens + cost > budgetTokens) continue;
    tokens += cost;
    bullets.push({
      id: entry.id,
      type: entry.type,
      scope: 'user',
      category: RECENT_ACTIVITY,
      text,
      superseded_by: null,
      valid_to: null,
      sources: messageIds.map((messageId) => ({
        conversation_id: entry.conversationId,
        message_id: messageId,
        external_id: externalIds.get(messageId) ?? null,
      })),
    });
  }
  return { bullets, tokens };
}

/** Category, day and marks of a line. */
const LINE_TOKENS = 16;

function renderEntry(
  entry: ActivitySummary | ActivityTurn,
  userId: string,
  restTokens: number,
  countTokens: (text: string) => number,
): { text: string; messageIds: readonly string[] } {
  if (entry.type === 'turn') {
    const speaker = labelTurnSpeaker(userId, entry);
    const text = `[${RECENT_ACTIVITY}] ${speaker}: ${toInertLine(removeHidden(entry.content))} (${renderDay(entry.saidAt)})`;
    return { text, messageIds: [entry.id] };
  }
  const sentences = fitSentences(entry.sentences, restTokens - LINE_TOKENS, countTokens);
  const words = sentences.map(({ text }) => toInertLine(removeHidden(text))).join(' ');
  return {
    text: `[${RECENT_ACTIVITY}] ${words} (${renderDay(entry.lastSaidAt)})`,
    messageIds: [...new Set(sentences.flatMap(({ messageIds }) => messageIds))],
  };
}
