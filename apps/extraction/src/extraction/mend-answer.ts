import type { Config } from '@annals/config';
import type { ExtractedItem } from '@annals/contracts';
import type { BrokenSentence } from '@annals/llm-core';
import { type BatchAttempt, type ClaimedBatch, type Infrastructure, readBudgetDay } from '@annals/runtime';
import { countCalls } from '@annals/storage';
import type { ModelAnswer } from './ask-model/model-answer.js';
import type { Asking } from './asking.js';
import type { SecondQuestion } from './ask-once.js';
import { type BatchTurns, selectExcerpt } from './build-request.js';
import { fileItems, type FilingReport } from './file-items.js';
import { findLongTurns, findMissedTurns, keepBestOfTurns } from './multi-fact/choose-turns.js';
import { findMoreFacts } from './multi-fact/find-more-facts.js';
import { arrangeItems, refineAnswer } from './refine-answer.js';
import { mendWriting, type WritingReport } from './writing/mend-writing.js';
import { type Rewrite, rewriteSentences } from './writing/rewrite-sentences.js';

/** For a second question, in ms; with less time than the least nobody is asked. */
const MOST_ASKING_MS = 30_000;
const LEAST_ASKING_MS = 3_000;

export interface MendDependencies {
  readonly infrastructure: Pick<Infrastructure, 'modelCalls' | 'database' | 'clock'>;
  readonly config: Config<'llm' | 'multiFact'>;
}

export interface AnswerToMend {
  readonly batch: ClaimedBatch;
  readonly asked: ModelAnswer;
  readonly turns: BatchTurns;
  readonly asking: Asking;
  /** When nobody may be asked any more, by performance.now(). */
  readonly endsMs: number;
  readonly attempt: Pick<BatchAttempt, 'signal' | 'aside'>;
}

/** What looking at long turns once more came to (SYS §13): numbers only. */
export interface MultiFactReport {
  readonly turns: number;
  readonly candidates: number;
  readonly added: number;
  /** Why nobody was asked, or null. */
  readonly notAsked: string | null;
}

/** What is kept of an answer's memories, and how that was decided. */
export interface MendedAnswer {
  readonly items: readonly ExtractedItem[];
  readonly writing: WritingReport;
  readonly multiFact: MultiFactReport | null;
  readonly filing: FilingReport | null;
}

/**
 * Makes of an answer what is written: grounded, completed where a long turn was missed, in the form of SYS §9. At most
 * two further calls, short ones and rare; without them the answer is written as well as it can be.
 */
export async function mendAnswer(deps: MendDependencies, answer: AnswerToMend): Promise<MendedAnswer> {
  const { messages } = answer.turns;
  const found = refineAnswer(answer.asked.answer.memories, messages);
  const { items: completed, report: multiFact } = await lookAgain(deps, answer, found);
  // A provider inside the process goes by rules, and so does whoever keeps procedures.
  const isOfRules = ({ type }: ExtractedItem) => answer.asked.call === null || type === 'procedural';
  const { items, report: filing } = fileItems(completed, answer.asking.categories, isOfRules);
  const rewrite = async (broken: readonly BrokenSentence[]): Promise<Rewrite> => {
    const question = openQuestion(deps, answer);
    return typeof question === 'string' ? { asked: false, why: question } : rewriteSentences(question, broken);
  };
  const mended = await mendWriting(items, messages, rewrite);
  return { items: arrangeItems(mended.items, messages), writing: mended.report, multiFact, filing };
}

async function lookAgain(
  deps: MendDependencies,
  answer: AnswerToMend,
  found: readonly ExtractedItem[],
): Promise<{ items: readonly ExtractedItem[]; report: MultiFactReport | null }> {
  const { messages } = answer.turns;
  const long = findLongTurns(selectExcerpt(answer.turns).messages, deps.config.multiFact);
  const missed = answer.asked.call ? findMissedTurns(long, found) : [];
  if (missed.length === 0) return { items: found, report: null };
  const question = openQuestion(deps, answer);
  const refusal = typeof question === 'string' ? question : await judgeDay(deps, answer.batch);
  if (typeof question === 'string' || refusal !== null) {
    return { items: found, report: { turns: missed.length, candidates: 0, added: 0, notAsked: refusal } };
  }
  const more = await findMoreFacts(question, missed, answer.asking.frame);
  const candidates = more.asked ? refineAnswer(more.value, messages) : [];
  const added = keepBestOfTurns(candidates, missed);
  return {
    items: arrangeItems([...found, ...added], messages),
    report: {
      turns: missed.length,
      candidates: candidates.length,
      added: added.length,
      notAsked: more.asked ? null : more.why,
    },
  };
}

/** Why nobody can be asked, or what to ask with. Rules that gave an answer would give it again. */
function openQuestion(
  { infrastructure: { modelCalls }, config: { llm } }: MendDependencies,
  { batch, asked, endsMs, attempt }: AnswerToMend,
): SecondQuestion | string {
  const timeoutMs = Math.min(llm.timeoutMs, MOST_ASKING_MS, Math.floor(endsMs - performance.now()));
  if (!asked.call || !modelCalls) return 'no_model';
  if (timeoutMs < LEAST_ASKING_MS) return 'no_time';
  const { signal, aside } = attempt;
  const { maxOutputTokens } = llm;
  return { modelCalls, provider: asked.provider, batch, maxOutputTokens, timeoutMs, signal, aside };
}

/** `capped` when the user had enough of it today (SYS §13). */
async function judgeDay(
  { infrastructure: { database, clock }, config: { multiFact } }: MendDependencies,
  { tenantId, userId }: ClaimedBatch,
): Promise<string | null> {
  try {
    const day = readBudgetDay(clock.now());
    const calls = await database.readTenant(tenantId, (tx) => countCalls(tx, { userId, operation: 'multi_fact', day }));
    return calls >= multiFact.dailyCalls ? 'capped' : null;
  } catch {
    // The answer is paid for: it is written without a second look.
    return 'unavailable';
  }
}
