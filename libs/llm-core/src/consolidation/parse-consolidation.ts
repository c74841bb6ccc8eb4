import { repairJson } from '../parsing/repair-json.js';
import { LLMError } from '../provider/llm-error.js';
import { type ConsolidationPrompt, consolidationAnswerSchema } from './consolidation-prompt.js';

/** A model's decision about a pair; `content` is its text for both. */
export type PairVerdict =
  | { readonly verdict: 'merge'; readonly content: string }
  | { readonly verdict: 'link' }
  | { readonly verdict: 'apart' };

export interface ParsedConsolidation {
  /** By the position of the pair in the prompt. */
  readonly verdicts: ReadonlyMap<number, PairVerdict>;
  /** Pairs without a decision: left out, decided in two ways, or SAME without a text. */
  readonly undecided: readonly number[];
  /** Number of decisions about names that were not in the prompt; these are ignored. */
  readonly unknown: number;
}

type Decision = (typeof consolidationAnswerSchema)['_output']['pairs'][number];

/**
 * Parses an answer. Pairs are independent, so those that it leaves out are undecided and the others count.
 * @throws LLMError `parsing` when the answer cannot be parsed, or decides about none of the pairs
 */
export function parseConsolidation(text: string, { pairs }: Pick<ConsolidationPrompt, 'pairs'>): ParsedConsolidation {
  const json = repairJson(text);
  const answer = consolidationAnswerSchema.safeParse(json ? (JSON.parse(json.text) as unknown) : undefined);
  if (!answer.success) {
    throw new LLMError('parsing', 'The answer is not a JSON object with a list "pairs" that matches the schema.');
  }
  const verdicts = new Map<number, PairVerdict>();
  const unclear = new Set<number>();
  let unknown = 0;
  for (const decision of answer.data.pairs) {
    const position = pairs.indexOf(decision.id);
    const verdict = toVerdict(decision);
    if (position < 0) unknown += 1;
    else if (verdict === null || isOther(verdicts.get(position), verdict)) unclear.add(position);
    else verdicts.set(position, verdict);
  }
  for (const position of unclear) verdicts.delete(position);
  if (verdicts.size === 0 && pairs.length > 0) {
    throw new LLMError(
      'parsing',
      'The answer does not decide about any pair of the prompt, or gives SAME without a text.',
    );
  }
  const undecided = pairs.flatMap((_name, position) => (verdicts.has(position) ? [] : [position]));
  return { verdicts, undecided, unknown };
}

function toVerdict({ verdict, text }: Decision): PairVerdict | null {
  if (verdict === 'RELATED') return { verdict: 'link' };
  if (verdict === 'DIFFERENT') return { verdict: 'apart' };
  const content = text?.trim() ?? '';
  return content === '' ? null : { verdict: 'merge', content };
}

function isOther(before: PairVerdict | undefined, verdict: PairVerdict): boolean {
  return before !== undefined && JSON.stringify(before) !== JSON.stringify(verdict);
}
