import { annotateDates, renderDay } from '@annals/english';
import type { QuotedTurn, RecallCandidate } from './types.js';

/** The fields that the text of an answer is rendered from, besides its content. */
type RenderedFields = Pick<RecallCandidate, 'kind' | 'category' | 'speaker' | 'validFrom' | 'saidAt' | 'isSuperseded'>;

/**
 * "[category] text (8 May 2023)", of a turn "[activity] Ana: text (8 May 2023)"
 * (docs/reference/recall.md#form-of-an-answer, docs/reference/truth-and-time.md#dates-in-answers). The time is when it
 * holds, or, if the text of a memory contains that already, when it was said. A turn whose facts were superseded is
 * marked (docs/reference/recall.md#superseded-turns-rank-lower). The words of the turn that a fact is based on follow
 * it: "[category] text (8 May 2023) — Ana: “I moved last month.”".
 */
export function renderAnswer(fields: RenderedFields, content: string, quoted?: QuotedTurn): string {
  const { kind, category, speaker, validFrom, saidAt, isSuperseded } = fields;
  const line = renderLine(content, saidAt);
  const isTurn = kind === 'turn';
  const holds = renderDay(isTurn ? saidAt : validFrom);
  const said = renderDay(saidAt);
  const isNew = (day: string) => day !== '' && !line.includes(day);
  const time = isNew(holds) ? holds : !isTurn && isNew(said) ? `said ${said}` : '';
  // A memory needs no note: the query's own time selects those that held then.
  const notes = [time, isTurn && isSuperseded ? 'superseded since' : ''].filter((note) => note !== '').join('; ');
  const answer = `[${category}] ${isTurn ? nameSpeaker(speaker) : ''}${line}${notes === '' ? '' : ` (${notes})`}`;
  return quoted ? `${answer} — ${nameSpeaker(quoted.speaker)}“${renderLine(quoted.content, quoted.saidAt)}”` : answer;
}

function renderLine(content: string, saidAt: number): string {
  return annotateDates(content.replace(/\s+/g, ' ').trim(), saidAt);
}

function nameSpeaker(speaker: string | null): string {
  return speaker === null ? '' : `${speaker}: `;
}

/** A candidate's text for a reranker: its content, for a turn with the speaker and with relative dates resolved. */
export function renderDocument({ kind, speaker, saidAt, content }: RecallCandidate): string {
  if (kind === 'memory') return content;
  return `${nameSpeaker(speaker)}${annotateDates(content, saidAt)}`;
}
