import type { ExtractionResult } from '@annals/storage';

/** What one call brought: the part of the result that does not depend on who holds the batch. */
export type Extracted = Omit<ExtractionResult, 'batchId' | 'fence' | 'now' | 'trace'>;

/** For a batch in which no user said anything: no call is made. */
export const NOTHING_EXTRACTED: Extracted = {
  provider: 'none',
  model: 'none',
  notice: null,
  answer: '',
  items: [],
  settlement: null,
  promptVersion: null,
  diagnostics: null,
  prunedMessages: 0,
};
