import { findInventedFacts } from '../meaning/kept-facts.js';
import type { Sliced } from '../text/sliced.js';
import { findReversedNegations } from './find-reversed-negations.js';
import { type CitedMessage, createSourceReader, listTellings } from './read-source.js';
import type { SummarySentence } from './types.js';

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
 * is the day before the message. The day of a message is when it was said, and when it happened only if the message
 * names no other. Yields after each sentence.
 */
export function* checkSentences(
  sentences: readonly SummarySentence[],
  messages: ReadonlyMap<string, CitedMessage>,
): Sliced<CheckedSentences> {
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
    const contents = sources.map(({ content }) => content);
    const own = dropQuotations(text, contents);
    const invented = findInventedFacts(
      sources.flatMap((source) => listTellings(source, own)),
      own,
    );
    const reversed = findReversedNegations(contents, own);
    if (invented.length > 0) rejected.push({ index, fault: 'invented', facts: invented.map((fact) => fact.text) });
    else if (reversed.length > 0) rejected.push({ index, fault: 'reversed', facts: reversed });
    else kept.push({ text, messageIds: known });
    yield;
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
