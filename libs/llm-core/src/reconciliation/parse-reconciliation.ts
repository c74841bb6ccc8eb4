import { repairJson } from '../parsing/repair-json.js';
import { LLMError } from '../provider/llm-error.js';
import { reconciliationAnswerSchema, type ReconciliationPrompt } from './reconciliation-prompt.js';

/** The decision about a new statement and a memory, by their indexes in the prompt. */
export interface MemoryDecision {
  readonly fact: number;
  readonly memory: number;
  /** `same`: the memory already states the fact. `replaces`: both cannot hold at the same time. */
  readonly verdict: 'same' | 'replaces';
}

export interface ParsedReconciliation {
  /** Decisions for related pairs; pairs without one are independent. */
  readonly decisions: readonly MemoryDecision[];
  /** Number of decisions about names that were not in the prompt; these are ignored. */
  readonly unknown: number;
}

type PromptLabels = Pick<ReconciliationPrompt, 'facts' | 'memories'>;
type Decision = (typeof reconciliationAnswerSchema)['_output']['decisions'][number];

/**
 * Parses an answer. Only names from the prompt count (docs/reference/reconciliation.md#complete-enumeration), and each
 * must occur exactly once: an answer that omits some has not decided about them.
 * @throws LLMError `parsing` when the answer cannot be parsed or is incomplete
 */
export function parseReconciliation(text: string, shown: PromptLabels): ParsedReconciliation {
  const answer = reconciliationAnswerSchema.safeParse(parse(text));
  if (!answer.success)
    throw createParsingError('The answer is not a JSON object with a list "decisions" that matches the schema.');
  const names = new Set([...shown.memories, ...shown.facts]);
  const known = answer.data.decisions.filter(({ id, with: other }) => names.has(id) && isShown(other, names));
  const unknown = answer.data.decisions.length - known.length;
  const decided = new Set(known.map(({ id }) => id));
  if (decided.size !== known.length) throw createParsingError('The answer contains more than one decision for a name.');
  if (decided.size !== names.size)
    throw createParsingError('The answer does not contain a decision for every name of the prompt.');
  return { decisions: known.flatMap((decision) => parseDecision(decision, shown)), unknown };
}

function parse(text: string): unknown {
  const json = repairJson(text);
  return json ? (JSON.parse(json.text) as unknown) : undefined;
}

function isShown(name: string | null | undefined, names: ReadonlySet<string>): boolean {
  return name === null || name === undefined || names.has(name);
}

function parseDecision({ id, event, with: other }: Decision, { facts, memories }: PromptLabels): MemoryDecision[] {
  const memory = memories.indexOf(id);
  if (memory >= 0) {
    if (event === 'NONE') return [];
    if (event === 'ADD') throw createParsingError('The answer adds a memory that already exists.');
    // With a single fact, it is clear which one is meant.
    const fact = other ? facts.indexOf(other) : facts.length === 1 ? 0 : -1;
    if (fact < 0) throw createParsingError('The answer does not name the new fact that replaces a memory.');
    return [{ fact, memory, verdict: 'replaces' }];
  }
  if (event === 'UPDATE' || event === 'DELETE') throw createParsingError('The answer updates or deletes a new fact.');
  const duplicate = other && event === 'NONE' ? memories.indexOf(other) : -1;
  return duplicate < 0 ? [] : [{ fact: facts.indexOf(id), memory: duplicate, verdict: 'same' }];
}

function createParsingError(message: string): LLMError {
  return new LLMError('parsing', message);
}
