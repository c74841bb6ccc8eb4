import {
  type ConversationMessage,
  type KnownUser,
  type Sliced,
  type SummaryKind,
  type SummaryPromptName,
  type SummarySentence,
  type TokenCounter,
} from '@annals/llm-core';
import { FACT_BONUS, listStatements } from './list-statements.js';
import { MAX_OF_DAY, selectStatements } from './select-statements.js';
import { listTopicStems, rateWords, type Statement } from './statement.js';

export type SummaryMessage = ConversationMessage;

/** What a step of a summary plan reads. */
export interface ExtractiveInput {
  readonly prompt: SummaryPromptName;
  readonly kind: SummaryKind;
  /** Sentences of the summary so far and of summaries of parts, in order. */
  readonly sentences: readonly SummarySentence[];
  readonly messages: readonly SummaryMessage[];
  readonly user: KnownUser;
  readonly targetTokens: number;
  readonly count: TokenCounter;
}

/** Version of the rules, stored with what they make. */
export const SUMMARY_RULES = 'summary-rules-1';

/** Room for the marks that join the parts of one sentence. */
const JOINT = '; ';

/**
 * A summary without a model (docs/reference/summaries.md#without-a-model): sentences of the messages, as facts in the
 * third person or as quotations with who said them and when; each cites its messages. Of English; the same for the same
 * input. Never above the target unless the shortest sentence is. Yields after each message.
 */
export function* summarizeMessages(input: ExtractiveInput): Sliced<SummarySentence[]> {
  const { prompt, kind, sentences, messages, user, targetTokens, count } = input;
  const earlier = sentences.map(toStatement);
  const fresh = yield* listStatements(messages, kind, user);
  const statements = [
    ...earlier,
    ...fresh.map((statement) => ({ ...statement, order: statement.order + earlier.length })),
  ];
  const chosen = selectStatements(statements, targetTokens, count);
  const told = renderSentences(chosen);
  return prompt === 'BRIEF' ? joinSentences(told) : told;
}

const QUOTATION = /“(?<words>[^”]*)”/gu;

function toStatement({ text, messageIds }: SummarySentence, order: number): Statement {
  const quoted = Array.from(text.matchAll(QUOTATION), ({ groups }) => groups!['words']!).join(' ');
  return {
    text,
    saidOn: null,
    messageIds,
    sentences: [],
    isQuotation: quoted !== '',
    order,
    stems: listTopicStems(text),
    bonus: rateWords(quoted === '' ? text : quoted) + (quoted === '' ? FACT_BONUS : 0),
  };
}

/** Statements of one day share a sentence, so that its date is told once. */
function renderSentences(statements: readonly Statement[]): SummarySentence[] {
  const groups: Statement[][] = [];
  for (const statement of statements) {
    const last = groups.at(-1);
    const isOfDay = statement.saidOn !== null && last?.[0]!.saidOn === statement.saidOn;
    if (isOfDay && last && last.length < MAX_OF_DAY) last.push(statement);
    else groups.push([statement]);
  }
  return groups.map((group) => {
    const [{ saidOn }] = group as [Statement];
    const words = group.map(({ text }) => text).join(JOINT);
    return {
      text: finish(saidOn === null ? words : `On ${saidOn}: ${words}`),
      messageIds: [...new Set(group.flatMap(({ messageIds }) => messageIds))],
    };
  });
}

function finish(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}

/** One sentence that cites the messages of its parts. */
function joinSentences(sentences: readonly SummarySentence[]): SummarySentence[] {
  if (sentences.length === 0) return [];
  const text = finish(sentences.map((sentence) => sentence.text.replace(/\.$/u, '')).join(JOINT));
  return [{ text, messageIds: [...new Set(sentences.flatMap(({ messageIds }) => messageIds))] }];
}
