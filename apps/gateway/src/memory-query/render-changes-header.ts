import type { QueryExplanation } from '@annals/contracts';
import { renderHeader } from '@annals/domain';
import type { ThreadChanges } from '@annals/storage';
import type { QueryPlan } from './plan-query.js';

export interface ChangesHeader {
  readonly header: string | null;
  readonly status: QueryExplanation['header'];
  readonly tokens: number;
}

/** The changes header of a response. Omitted if it alone exceeds the token budget, since a part of it would mislead. */
export function renderChangesHeader(
  { changes, omitted }: ThreadChanges,
  { body, view }: QueryPlan,
  countTokens: (text: string) => number,
): ChangesHeader {
  if (body.since_rev === undefined) return { header: null, status: 'not_requested', tokens: 0 };
  const header = renderHeader({ since: body.since_rev, changes, omitted, view });
  if (header === null) return { header, status: 'no_changes', tokens: 0 };
  const tokens = countTokens(header);
  if (tokens > body.budget_tokens) return { header: null, status: 'over_budget', tokens: 0 };
  return { header, status: 'included', tokens };
}
