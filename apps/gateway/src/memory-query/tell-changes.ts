import type { QueryExplanation } from '@annals/contracts';
import { renderHeader } from '@annals/domain';
import type { ThreadChanges } from '@annals/storage';
import type { QueryPlan } from './plan-query.js';

export interface ToldChanges {
  readonly header: string | null;
  readonly standing: QueryExplanation['header'];
  readonly tokens: number;
}

/** The header of an answer. One that would use up more than the whole budget is left out, since a part would mislead. */
export function tellChanges(
  { changes, unread }: ThreadChanges,
  { body, view }: QueryPlan,
  countTokens: (text: string) => number,
): ToldChanges {
  if (body.since_rev === undefined) return { header: null, standing: 'not_asked', tokens: 0 };
  const header = renderHeader({ since: body.since_rev, changes, unread, view });
  if (header === null) return { header, standing: 'no_changes', tokens: 0 };
  const tokens = countTokens(header);
  if (tokens > body.budget_tokens) return { header: null, standing: 'over_budget', tokens: 0 };
  return { header, standing: 'included', tokens };
}
