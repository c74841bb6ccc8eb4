import type { ModelPrompt } from '../prompt/extraction-prompt.js';
import { neutralizeText } from '../prompt/neutralize-text.js';
import { RECONCILIATION_SCHEMA, RECONCILIATION_SCHEMA_NAME } from './answer-shape.js';
import { RECONCILIATION_PROMPT_VERSION, RECONCILIATION_SYSTEM_TEXT } from './reconciliation-system-text.js';

/** A new statement; times are epoch ms. */
export interface PromptFact {
  readonly content: string;
  readonly saidAt: number;
}

/** A stored memory beside it. */
export interface PromptMemory {
  readonly content: string;
  readonly revision: number;
  readonly validFrom: number;
}

/** The question about a batch's new statements and the memories beside them. Names are places: `n1` is the first fact. */
export interface ReconciliationPrompt extends ModelPrompt {
  readonly facts: readonly string[];
  readonly memories: readonly string[];
}

/** One prompt for all that a batch has to ask, whatever is near what. */
export function buildReconciliationPrompt(
  facts: readonly PromptFact[],
  memories: readonly PromptMemory[],
): ReconciliationPrompt {
  const existing = memories.map(
    ({ content, revision, validFrom }, position) =>
      `e${position + 1} (revision ${revision}, since ${renderDay(validFrom)}): ${neutralizeText(content)}`,
  );
  const fresh = facts.map(
    ({ content, saidAt }, position) => `n${position + 1} (said ${renderDay(saidAt)}): ${neutralizeText(content)}`,
  );
  return {
    version: RECONCILIATION_PROMPT_VERSION,
    system: RECONCILIATION_SYSTEM_TEXT,
    user: ['<existing>', ...existing, '</existing>', '<new>', ...fresh, '</new>'].join('\n'),
    schemaName: RECONCILIATION_SCHEMA_NAME,
    schema: RECONCILIATION_SCHEMA,
    facts: facts.map((_fact, position) => `n${position + 1}`),
    memories: memories.map((_memory, position) => `e${position + 1}`),
  };
}

function renderDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
