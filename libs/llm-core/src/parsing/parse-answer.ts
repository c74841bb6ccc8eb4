import { type Evidence, type ExtractedMemory, RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { remapRelations } from '@annals/domain';
import { CONTEXT_SHORT_NAME_PATTERN } from '../prompt/render-conversation.js';
import { LLMError } from '../provider/llm-error.js';
import { describeIssues } from './coerce-memory.js';
import { type DocumentText, findDocuments } from './find-documents.js';
import { countMemories, type ParsedDocument, parseDocument } from './parse-document.js';
import { MAX_REPAIRS } from './repair-document.js';
import { BARE_MEMORY } from './adapt-document.js';
import { unwrapText } from './unwrap-text.js';

export interface ParseAnswerOptions {
  /** Whether the answer was truncated: at the output limit, or because its stream ended early. */
  readonly truncated: boolean;
  /**
   * Short names of the prompt to message ids (`ExtractionPrompt.messageIds`). Citations of context (`c1`, …) are
   * removed, because memories are never based on context; other unknown names are left unchanged.
   */
  readonly messageIds?: ReadonlyMap<string, string>;
}

/** The parsed content of an answer. */
export interface ParsedAnswer {
  readonly memories: ExtractedMemory[];
  /** Number of repaired places; 0 for strict JSON, with or without prose and fences around it. */
  readonly repairs: number;
  /** Number of dropped memories: truncated, not matching the contract, or possibly changed by a repair. */
  readonly dropped: number;
  /** Name of the adapter if the answer had another form; null for the current response schema. */
  readonly adaptedFrom: string | null;
}

/**
 * Parses a provider's answer as `memory_llm_response_v1`: limited repair, version handshake, contract, message ids. A
 * memory that is truncated or invalid is dropped alone; every string of the others occurs in the answer.
 * @throws LLMError `parsing`; its message describes the problem and its position and never quotes the answer, so that
 * it can be sent back as `Correction.problem`.
 */
export function parseAnswer(text: string, { truncated, messageIds }: ParseAnswerOptions): ParsedAnswer {
  const documents = [...findDocuments(unwrapText(text))];
  const attempts: Attempt[] = documents.map((document) => ({ document, parsed: parseDocument(document) }));
  const parsed = chooseDocument(attempts.flatMap((attempt) => attempt.parsed ?? []));
  if (!parsed || parsed.repairs > MAX_REPAIRS)
    throw new LLMError('parsing', describeUnreadable(text, documents.length > 0, truncated));
  const retained = countMemories(parsed);
  if (retained === 0) assertEmpty(parsed, !truncated && !attempts.some(mayHideMemories));
  const { repairs, adaptedFrom } = parsed;
  return {
    memories: resolveReferences(parsed, messageIds),
    repairs,
    dropped: parsed.memories.length - retained,
    adaptedFrom,
  };
}

interface Attempt {
  readonly document: DocumentText;
  readonly parsed: ParsedDocument | null;
}

// An empty list is not conclusive if a memory may be in a part that a repair removed or that could not be parsed.
function mayHideMemories({ document, parsed }: Attempt): boolean {
  return (!parsed || parsed.repairs > 0) && /\b(?:memory|content)\b/.test(document.text);
}

// A model may return an empty example before its answer, or one object per memory instead of a list.
function chooseDocument(candidates: readonly ParsedDocument[]): ParsedDocument | undefined {
  const full = candidates.filter((parsed) => countMemories(parsed) > 0);
  const single = full.filter(isSingleMemory);
  return (
    full.find((parsed) => !isSingleMemory(parsed)) ??
    (single.length > 0 ? candidates.filter(isSingleMemory).reduce(join) : candidates[0])
  );
}

function isSingleMemory({ adaptedFrom }: ParsedDocument): boolean {
  return adaptedFrom === BARE_MEMORY;
}

function join(a: ParsedDocument, b: ParsedDocument): ParsedDocument {
  const memories = [...a.memories, ...b.memories];
  return { ...a, memories, issues: [...a.issues, ...b.issues], repairs: a.repairs + b.repairs };
}

/**
 * "No memories" is only accepted from a complete answer with an empty list
 * (docs/reference/streaming-and-repair.md#no-memories-only-from-a-complete-answer).
 */
function assertEmpty({ memories, issues, problem, isListWhole }: ParsedDocument, isWhole: boolean): void {
  if (problem !== null) throw new LLMError('parsing', problem);
  const isUnfinished = !isListWhole && issues.every(({ code }) => code === 'cut' || code === 'unclear');
  if (isUnfinished || (memories.length === 0 && !isWhole)) throw new LLMError('parsing', TRUNCATED_TOO_EARLY);
  if (memories.length === 0) return;
  const count = `None of the ${memories.length} memories of the answer can be used`;
  throw new LLMError('parsing', `${count}: ${describeIssues(issues)}.`);
}

function resolveReferences(
  { memories }: ParsedDocument,
  messageIds: ReadonlyMap<string, string> | undefined,
): ExtractedMemory[] {
  const newIndexes: number[] = [];
  const retained: ExtractedMemory[] = [];
  for (const [position, memory] of memories.entries()) if (memory) newIndexes[position] = retained.push(memory) - 1;
  return remapRelations(retained, newIndexes).map((memory) => ({
    ...memory,
    evidence: messageIds ? resolveMessageIds(memory.evidence, messageIds) : memory.evidence,
  }));
}

// A memory that a user merely confirmed is often cited together with the assistant's question: that is not false
// evidence.
function resolveMessageIds(evidence: readonly Evidence[], messageIds: ReadonlyMap<string, string>): Evidence[] {
  return evidence
    .filter(({ message_id }) => messageIds.has(message_id) || !CONTEXT_SHORT_NAME_PATTERN.test(message_id))
    .map(({ message_id, quote }) => ({ message_id: messageIds.get(message_id) ?? message_id, quote }));
}

const TRUNCATED_TOO_EARLY = 'The answer ended before its first memory was complete. Use fewer and shorter memories.';
const EXPECTED_FORMAT = `one JSON object with "schemaVersion": "${RESPONSE_SCHEMA_VERSION}" and the list "memories"`;

function describeUnreadable(text: string, hasDocument: boolean, truncated: boolean): string {
  if (truncated) return TRUNCATED_TOO_EARLY;
  if (!hasDocument)
    return `The answer is not JSON (${text.length} characters). Use ${EXPECTED_FORMAT}, and no other text.`;
  try {
    JSON.parse(text);
    return `The answer is JSON but not in the agreed form. Use ${EXPECTED_FORMAT}.`;
  } catch (error) {
    // V8 reports the position of some errors only; the rest of its message quotes the text.
    const position = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    const where = position === undefined ? '' : ` from character ${position} on`;
    return `The answer is not valid JSON${where} and could not be repaired. Use ${EXPECTED_FORMAT}.`;
  }
}
