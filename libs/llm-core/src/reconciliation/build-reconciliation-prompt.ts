import type { ModelPrompt } from '../prompt/extraction-prompt.js';
import { neutralizeText } from '../prompt/neutralize-text.js';
import { RECONCILIATION_SCHEMA, RECONCILIATION_SCHEMA_NAME } from './answer-shape.js';
import { RECONCILIATION_PROMPT_VERSION, RECONCILIATION_SYSTEM_TEXT } from './reconciliation-system-text.js';

/** A new statement; times are epoch ms. */
export interface PromptFact {
  readonly content: string;
  readonly saidAt: number;
}

/** A stored memory to compare new statements with. */
export interface PromptMemory {
  readonly content: string;
  readonly revision: number;
  readonly validFrom: number;
}

/**
 * The prompt about the new statements of a batch and the memories near them. Names are positions: `n1` is the first
 * fact.
 */
export interface ReconciliationPrompt extends ModelPrompt {
  readonly facts: readonly string[];
  readonly memories: readonly string[];
}

/** Builds one prompt for all new statements and memories of a batch. */
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
