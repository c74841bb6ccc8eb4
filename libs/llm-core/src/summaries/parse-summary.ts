import type { CheckedSentences, SentenceFault, SummarySentence } from '@annals/domain';
import { repairJson } from '../parsing/repair-json.js';
import { LLMError } from '../provider/llm-error.js';
import { summaryAnswerSchema, type SummaryPrompt } from './summary-prompt.js';

/**
 * Parses a summary. Labels become the messages that they stand for; labels that were not shown are dropped, so that a
 * sentence that has only these cites nothing.
 * @throws LLMError `parsing` when the answer cannot be parsed
 */
export function parseSummary(text: string, { labels }: Pick<SummaryPrompt, 'labels'>): SummarySentence[] {
  const json = repairJson(text);
  const answer = summaryAnswerSchema.safeParse(json ? (JSON.parse(json.text) as unknown) : undefined);
  if (!answer.success) {
    throw new LLMError('parsing', 'The answer is not a JSON object with a list "sentences" that matches the schema.');
  }
  return answer.data.sentences
    .map(({ text: words, sources }) => ({
      text: words.replace(/\s+/gu, ' ').trim(),
      messageIds: [...new Set(sources.flatMap((label) => labels.get(label.trim()) ?? []))],
    }))
    .filter((sentence) => sentence.text !== '');
}

const FAULTS: Readonly<Record<SentenceFault, string>> = {
  uncited: 'cites no label that was shown',
  invented: 'states a number, name, date or negation that is not in the lines that it cites',
  reversed: 'states what the lines that it cites deny',
};

/** Most sentences that a problem lists: a longer one is no clearer. */
const MAX_LISTED = 10;

/** Models count roughly: a longer answer is sent back. */
const MAX_LENGTH_SHARE = 1.3;

/**
 * What is wrong with an answer, for the one corrective call (`Correction.problem`): sentences by their number, without
 * quoting them, and a length far above the target. Null when nothing is.
 */
export function describeSummaryProblem(
  { rejected }: Pick<CheckedSentences, 'rejected'>,
  length: { readonly tokens: number; readonly targetTokens: number },
): string | null {
  const isTooLong = length.tokens > length.targetTokens * MAX_LENGTH_SHARE;
  if (rejected.length === 0 && !isTooLong) return null;
  const listed = rejected.slice(0, MAX_LISTED).map(({ index, fault }) => `Sentence ${index + 1} ${FAULTS[fault]}.`);
  const rest = rejected.length - listed.length;
  return [
    ...listed,
    ...(rest > 0 ? [`${rest} more sentences have such faults.`] : []),
    ...(isTooLong ? ['The answer is longer than asked for: keep what matters most.'] : []),
    'Write the whole answer again: keep what is right, and correct the rest from the lines that say it, or leave it out.',
  ].join(' ');
}
