import { annotateDates, renderDay } from '@annals/english';
import { createSliceMeter } from '../text/cut-slices.js';
import { toInertLine } from '../text/inert-line.js';
import { removeHidden } from '../text/remove-hidden.js';
import type { Sliced } from '../text/sliced.js';
import type { QuotedTurn, RecallCandidate } from './types.js';

/** The fields that the text of an answer is rendered from, besides its content. */
type RenderedFields = Pick<
  RecallCandidate,
  'kind' | 'category' | 'speaker' | 'speakerLabel' | 'validFrom' | 'validTo' | 'saidAt' | 'superseded'
>;

/**
 * "[category] text (8 May 2023)", of a turn "[activity] Ana: text (8 May 2023)"
 * (docs/reference/recall.md#form-of-an-answer, docs/reference/truth-and-time.md#dates-in-answers). The time is when it
 * holds, or, if the text of a memory contains that already, when it was said. A turn says until when it held
 * (docs/reference/recall.md#turns-that-are-over). The words of the turn that a fact is based on follow
 * it: "[category] text (8 May 2023) — Ana: “I moved last month.”". Nothing of the content can be taken for this form
 * (docs/reference/recall.md#served-text-is-inert).
 */
export function renderAnswer(fields: RenderedFields, content: string): string {
  const { kind, category, speaker, speakerLabel, validFrom, saidAt } = fields;
  const line = renderLine(content, saidAt);
  const isTurn = kind === 'turn';
  const holds = renderDay(isTurn ? saidAt : validFrom);
  const said = renderDay(saidAt);
  const isNew = (day: string) => day !== '' && !line.includes(day);
  const time = isNew(holds) ? holds : !isTurn && isNew(said) ? `said ${said}` : '';
  // A memory needs no note: the query's own time selects those that held then.
  const notes = [time, isTurn ? renderEnd(fields) : ''].filter((note) => note !== '').join('; ');
  const name = isTurn ? nameSpeaker(speakerLabel ?? speaker) : '';
  return `[${category}] ${name}${line}${notes === '' ? '' : ` (${notes})`}`;
}

/** A rendered answer with the words of the turn that its fact is based on. */
export function quoteBehind(answer: string, quoted: QuotedTurn): string {
  return `${answer} — ${nameSpeaker(quoted.speakerLabel ?? quoted.speaker)}“${renderQuote(quoted)}”`;
}

/** All that an answer is rendered from but its content. */
export function frameOfAnswer(fields: RenderedFields): readonly unknown[] {
  const { kind, category, speaker, speakerLabel, validFrom, validTo, saidAt, superseded } = fields;
  // As texts, since JSON has no NaN.
  return [kind, category, speakerLabel ?? speaker, `${validFrom}`, `${validTo}`, `${saidAt}`, superseded];
}

/** All that a quotation behind an answer is rendered from but its content. */
export function frameOfQuote(answer: string, quoted: Omit<QuotedTurn, 'content'>): readonly unknown[] {
  return [answer, quoted.speakerLabel ?? quoted.speaker, `${quoted.saidAt}`];
}

/** Only where something took its place: of "In 2015 I lived in Faro" nothing is over. */
function renderEnd({ superseded, validTo }: RenderedFields): string {
  if (superseded === 'no' || validTo === null) return '';
  return `${superseded === 'partly' ? 'in part ' : ''}until ${renderDay(validTo)}`;
}

function renderLine(content: string, saidAt: number): string {
  return annotateDates(toInertLine(content), saidAt);
}

/** Without the marks that end the quotation. */
function renderQuote({ content, saidAt }: QuotedTurn): string {
  return renderLine(content.replace(/[“”]/gu, '"'), saidAt);
}

function nameSpeaker(speaker: string | null): string {
  return speaker === null ? '' : `${speaker}: `;
}

/** The texts of candidates for a reranker: the content, for a turn with the speaker and with relative dates resolved. */
export function* renderDocuments(candidates: readonly RecallCandidate[]): Sliced<string[]> {
  const meter = createSliceMeter();
  const documents: string[] = [];
  for (const candidate of candidates) {
    yield* meter(candidate.content.length);
    documents.push(renderDocument(candidate));
  }
  return documents;
}

function renderDocument({ kind, speaker, speakerLabel, saidAt, content }: RecallCandidate): string {
  const seen = removeHidden(content);
  return kind === 'memory' ? seen : `${nameSpeaker(speakerLabel ?? speaker)}${annotateDates(seen, saidAt)}`;
}
