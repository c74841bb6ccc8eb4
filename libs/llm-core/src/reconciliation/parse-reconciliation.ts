import { repairJson } from '../parsing/repair-json.js';
import { LLMError } from '../provider/llm-error.js';
import { reconciliationAnswerSchema } from './answer-shape.js';
import type { ReconciliationPrompt } from './build-reconciliation-prompt.js';

/** What was decided about a new statement and a memory, by their places in the prompt. */
export interface MemoryDecision {
  readonly fact: number;
  readonly memory: number;
  /** `same`: the memory says it already. `replaces`: both cannot hold at once. */
  readonly verdict: 'same' | 'replaces';
}

export interface ParsedReconciliation {
  /** All that is not independent of each other. */
  readonly decisions: readonly MemoryDecision[];
  /** Decisions about names that were not shown: they were left out, whatever they said. */
  readonly unknown: number;
}

type PromptLabels = Pick<ReconciliationPrompt, 'facts' | 'memories'>;
type Decision = (typeof reconciliationAnswerSchema)['_output']['decisions'][number];

/**
 * Reads an answer. Only names that were shown count (docs/reference/reconciliation.md#complete-enumeration), and every
 * one of them must be there once: who leaves some out has not decided about them.
 * @throws LLMError `parsing`, when it cannot be understood or is not complete
 */
export function parseReconciliation(text: string, shown: PromptLabels): ParsedReconciliation {
  const answer = reconciliationAnswerSchema.safeParse(parse(text));
  if (!answer.success) throw unusable('The answer is not a JSON object with a list "decisions" of the agreed shape.');
  const names = new Set([...shown.memories, ...shown.facts]);
  const known = answer.data.decisions.filter(({ id, with: other }) => names.has(id) && isShown(other, names));
  const unknown = answer.data.decisions.length - known.length;
  const decided = new Set(known.map(({ id }) => id));
  if (decided.size !== known.length) throw unusable('The answer decides about a name twice.');
  if (decided.size !== names.size) throw unusable('The answer does not decide about every name that was shown.');
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
    if (event === 'ADD') throw unusable('The answer adds a memory that exists.');
    // Where there is one fact only, it is plain which one is meant.
    const fact = other ? facts.indexOf(other) : facts.length === 1 ? 0 : -1;
    if (fact < 0) throw unusable('The answer does not say which new fact a memory gives way to.');
    return [{ fact, memory, verdict: 'replaces' }];
  }
  if (event === 'UPDATE' || event === 'DELETE') throw unusable('The answer changes a fact that is new.');
  const duplicate = other && event === 'NONE' ? memories.indexOf(other) : -1;
  return duplicate < 0 ? [] : [{ fact: facts.indexOf(id), memory: duplicate, verdict: 'same' }];
}

function unusable(message: string): LLMError {
  return new LLMError('parsing', message);
}
