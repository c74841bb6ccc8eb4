import { annotateDates, renderDate, renderDay, resolveDates } from '@annals/english';
import { findInventedFacts } from '../meaning/kept-facts.js';
import { findReversedNegations } from './find-reversed-negations.js';
import type { SummarySentence } from './types.js';

/** A message that a sentence may cite. */
export interface CitedMessage {
  readonly id: string;
  /** How summaries call the speaker: "Ana", "The user", "The assistant". */
  readonly speaker: string;
  readonly content: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/**
 * `uncited`: names no message that was shown. `invented`: has a number, date, name or negation that its messages do not
 * have. `reversed`: states what they deny.
 */
export type SentenceFault = 'uncited' | 'invented' | 'reversed';

export interface RejectedSentence {
  /** Of the sentences that were checked. */
  readonly index: number;
  readonly fault: SentenceFault;
  /** What is not in its messages; empty when it is uncited. */
  readonly facts: readonly string[];
}

export interface CheckedSentences {
  readonly kept: readonly SummarySentence[];
  readonly rejected: readonly RejectedSentence[];
  /** Sentences that cite messages, of all; 1 when there is none. Before anything is dropped. */
  readonly citedShare: number;
}

/**
 * Checks each sentence against the messages that it cites alone (docs/reference/summaries.md#each-sentence-is-cited).
 * Ids of no known message are dropped from it. What a message says of time counts as said with its date: "yesterday"
 * is the day before the message.
 */
export function checkSentences(
  sentences: readonly SummarySentence[],
  messages: ReadonlyMap<string, CitedMessage>,
): CheckedSentences {
  const kept: SummarySentence[] = [];
  const rejected: RejectedSentence[] = [];
  let cited = 0;
  const readSource = createSourceReader(messages);
  for (const [index, { text, messageIds }] of sentences.entries()) {
    const known = [...new Set(messageIds)].filter((id) => messages.has(id));
    if (known.length === 0) {
      rejected.push({ index, fault: 'uncited', facts: [] });
      continue;
    }
    cited += 1;
    const sources = known.map(readSource);
    const own = dropQuotations(
      text,
      sources.map(({ content }) => content),
    );
    const invented = findInventedFacts(
      sources.flatMap(({ content, told }) => [content, told]),
      own,
    );
    const reversed = findReversedNegations(
      sources.map(({ content }) => content),
      own,
    );
    if (invented.length > 0) rejected.push({ index, fault: 'invented', facts: invented.map((fact) => fact.text) });
    else if (reversed.length > 0) rejected.push({ index, fault: 'reversed', facts: reversed });
    else kept.push({ text, messageIds: known });
  }
  return { kept, rejected, citedShare: sentences.length === 0 ? 1 : cited / sentences.length };
}

/**
 * What is kept after the one corrective call: the answer of which more is right. Sentences that are still wrong are gone.
 */
export function settleSentences(first: CheckedSentences, corrected: CheckedSentences): readonly SummarySentence[] {
  return corrected.kept.length >= first.kept.length ? corrected.kept : first.kept;
}

const QUOTATION = /“(?<words>[^”]+)”/gu;
const QUOTE_MARKS = /["“”]/gu;

/** What a sentence says in its own words: quotations that are in a source, word for word, need no further check. */
function dropQuotations(text: string, contents: readonly string[]): string {
  if (!text.includes('“')) return text;
  const said = contents.map((content) => content.replace(QUOTE_MARKS, "'"));
  return text.replace(QUOTATION, (quotation, words: string) =>
    said.some((content) => content.includes(words)) ? '“”' : quotation,
  );
}

interface Source {
  readonly content: string;
  /** Its words with the speaker and the dates that they mean. */
  readonly told: string;
}

function createSourceReader(messages: ReadonlyMap<string, CitedMessage>): (id: string) => Source {
  const read = new Map<string, Source>();
  return (id) => {
    const { speaker, content, createdAt } = messages.get(id)!;
    const source = read.get(id) ?? {
      content,
      told: [
        `${speaker} told on ${renderDay(createdAt)}: ${annotateDates(content, createdAt)}`,
        // A compound may be in two tenses, and "in November" is another one in each.
        ...(['past', 'future'] as const).flatMap((tense) => resolveDates(content, createdAt, tense).map(renderDate)),
        ...resolveDates(content, createdAt)
          .filter(({ text, granularity }) => granularity === 'day' && NAMES_WEEKDAY.test(text))
          .map(({ from }) => renderWithWeekday(Date.parse(from))),
      ].join('\n'),
    };
    read.set(id, source);
    return source;
  };
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const NAMES_WEEKDAY = /\b(?:mon|tue|wed|thu|fri|sat|sun)/iu;

/** "Tuesday, 22 September 2026": "next Tuesday" may be told as the weekday or as the day. */
function renderWithWeekday(time: number): string {
  return `${WEEKDAYS[new Date(time).getUTCDay()]}, ${renderDay(time)}`;
}
