import { renderDay } from '../text/months.js';
import { annotateDates } from '../text/resolve-dates.js';
import type { RecallCandidate } from './types.js';

/** What the text of an answer is made of, beside its words. */
type RenderedFields = Pick<RecallCandidate, 'kind' | 'category' | 'speaker' | 'validFrom' | 'saidAt' | 'isSuperseded'>;

/**
 * "[category] text (8 May 2023)", of a turn "[activity] Ana: text (8 May 2023)": an answer as it is returned, with who
 * said it, its time, and relative dates resolved (docs/reference/recall.md#form-of-an-answer,
 * docs/reference/truth-and-time.md#dates-in-answers). The time is when it holds; where the text of a memory tells that
 * already, when it was said. A turn whose facts were superseded says so
 * (docs/reference/recall.md#superseded-turns-rank-lower). `content` are the words of it that are returned.
 */
export function renderAnswer(fields: RenderedFields, content: string): string {
  const { kind, category, speaker, validFrom, saidAt, isSuperseded } = fields;
  const line = annotateDates(content.replace(/\s+/g, ' ').trim(), saidAt);
  const isTurn = kind === 'turn';
  const holds = renderDay(isTurn ? saidAt : validFrom);
  const said = renderDay(saidAt);
  const isNew = (day: string) => day !== '' && !line.includes(day);
  const time = isNew(holds) ? holds : !isTurn && isNew(said) ? `said ${said}` : '';
  // Of a memory the query itself tells: it held at the time that was asked about.
  const notes = [time, isTurn && isSuperseded ? 'superseded since' : ''].filter((note) => note !== '').join('; ');
  return `[${category}] ${isTurn && speaker !== null ? `${speaker}: ` : ''}${line}${notes === '' ? '' : ` (${notes})`}`;
}

/** What a reranker reads of a candidate: its words, of a turn with who said them and what its relative dates mean. */
export function renderDocument({ kind, speaker, saidAt, content }: RecallCandidate): string {
  if (kind === 'memory') return content;
  return `${speaker === null ? '' : `${speaker}: `}${annotateDates(content, saidAt)}`;
}
