import { renderDay } from '../text/months.js';
import { annotateDates } from '../text/resolve-dates.js';
import type { RecallCandidate } from './types.js';

/**
 * "[category] text (8 May 2023)", of a turn "[activity] Ana: text (8 May 2023)": an answer as it is returned, with who said it,
 * its time, and relative dates resolved (SYS §6, decision 29). `content` are the words of it that are returned.
 */
export function renderAnswer(
  {
    kind,
    category,
    speaker,
    validFrom,
    saidAt,
  }: Pick<RecallCandidate, 'kind' | 'category' | 'speaker' | 'validFrom' | 'saidAt'>,
  content: string,
): string {
  const line = annotateDates(content.replace(/\s+/g, ' ').trim(), saidAt);
  const day = renderDay(kind === 'turn' ? saidAt : validFrom);
  const said = kind === 'turn' && speaker !== null ? `${speaker}: ` : '';
  return `[${category}] ${said}${line}${day === '' || line.endsWith(`(${day})`) ? '' : ` (${day})`}`;
}
