import { annotateDates, renderDay } from '@annals/english';
import type { RecallCandidate } from './types.js';

/** The fields that the text of an answer is rendered from, besides its content. */
type RenderedFields = Pick<RecallCandidate, 'kind' | 'category' | 'speaker' | 'validFrom' | 'saidAt' | 'isSuperseded'>;

/**
 * "[category] text (8 May 2023)", of a turn "[activity] Ana: text (8 May 2023)"
 * (docs/reference/recall.md#form-of-an-answer, docs/reference/truth-and-time.md#dates-in-answers). The time is when it
 * holds, or, if the text of a memory contains that already, when it was said. A turn whose facts were superseded is
 * marked (docs/reference/recall.md#superseded-turns-rank-lower).
 */
export function renderAnswer(fields: RenderedFields, content: string): string {
  const { kind, category, speaker, validFrom, saidAt, isSuperseded } = fields;
  const line = annotateDates(content.replace(/\s+/g, ' ').trim(), saidAt);
  const isTurn = kind === 'turn';
  const holds = renderDay(isTurn ? saidAt : validFrom);
  const said = renderDay(saidAt);
  const isNew = (day: string) => day !== '' && !line.includes(day);
  const time = isNew(holds) ? holds : !isTurn && isNew(said) ? `said ${said}` : '';
  // A memory needs no note: the query's own time selects those that held then.
  const notes = [time, isTurn && isSuperseded ? 'superseded since' : ''].filter((note) => note !== '').join('; ');
  return `[${category}] ${isTurn && speaker !== null ? `${speaker}: ` : ''}${line}${notes === '' ? '' : ` (${notes})`}`;
}

/** A candidate's text for a reranker: its content, for a turn with the speaker and with relative dates resolved. */
export function renderDocument({ kind, speaker, saidAt, content }: RecallCandidate): string {
  if (kind === 'memory') return content;
  return `${speaker === null ? '' : `${speaker}: `}${annotateDates(content, saidAt)}`;
}
