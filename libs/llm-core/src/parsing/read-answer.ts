import { type Evidence, type ExtractedMemory, RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { pointRelationsTo } from '@annals/domain';
import { CONTEXT_NAME } from '../prompt/short-names.js';
import { LLMError } from '../provider/llm-error.js';
import { describeIssues } from './describe-issues.js';
import { type DocumentText, findDocuments } from './find-documents.js';
import { countKept, type DocumentReading, readDocument } from './read-document.js';
import { MAX_REPAIRS } from './repair-document.js';
import { bareMemoryToV1Adapter } from './schema-adapters/bare-to-v1.adapter.js';
import { unwrapText } from './unwrap-text.js';

export interface ReadAnswerOptions {
  /** The answer was cut: at the output limit, or its stream ended too early. */
  readonly truncated: boolean;
  /**
   * Short names of the prompt to message ids (`ExtractionPrompt.messageIds`). Citations of context (`c1`, …) are left out,
   * since nothing rests on them; other unknown names stay as they are.
   */
  readonly messageIds?: ReadonlyMap<string, string>;
}

/** What an answer said. */
export interface ReadAnswer {
  readonly memories: ExtractedMemory[];
  /** Places that had to be repaired; 0 for strict JSON, with or without prose and fences around it. */
  readonly repairs: number;
  /** Memories that were left out: cut, not as agreed, or such that a repair may have changed them. */
  readonly dropped: number;
  /** The older or looser form the answer came in; null for the agreed one. */
  readonly adaptedFrom: string | null;
}

/**
 * Reads a provider's answer as `memory_llm_response_v1`: bounded repair, version handshake, contract, message ids. A
 * memory that was cut or does not fit is left out alone; every string of those that stay was said by the provider.
 * @throws LLMError `parsing`; its message says in our words what is wrong and where, and never quotes the answer, so that
 * it can be sent back as `Correction.problem`.
 */
export function readAnswer(text: string, { truncated, messageIds }: ReadAnswerOptions): ReadAnswer {
  const documents = [...findDocuments(unwrapText(text))];
  const attempts: Attempt[] = documents.map((document) => ({ document, reading: readDocument(document) }));
  const reading = chooseReading(attempts.flatMap((attempt) => attempt.reading ?? []));
  if (!reading || reading.repairs > MAX_REPAIRS)
    throw new LLMError('parsing', describeUnreadable(text, documents.length > 0, truncated));
  const kept = countKept(reading);
  if (kept === 0) assertEmpty(reading, !truncated && !attempts.some(mayHideMemories));
  const { repairs, adaptedFrom } = reading;
  return {
    memories: finishMemories(reading, messageIds),
    repairs,
    dropped: reading.memories.length - kept,
    adaptedFrom,
  };
}

interface Attempt {
  readonly document: DocumentText;
  readonly reading: DocumentReading | null;
}

// An empty list says nothing when a memory may stand in what a repair left out, or in what could not be read.
function mayHideMemories({ document, reading }: Attempt): boolean {
  return (!reading || reading.repairs > 0) && /\b(?:memory|content)\b/.test(document.text);
}

// A model may show an empty example before its answer, or one object for each memory instead of a list.
function chooseReading(readings: readonly DocumentReading[]): DocumentReading | undefined {
  const full = readings.filter((reading) => countKept(reading) > 0);
  const single = full.filter(isSingle);
  return (
    full.find((reading) => !isSingle(reading)) ??
    (single.length > 0 ? readings.filter(isSingle).reduce(join) : readings[0])
  );
}

function isSingle({ adaptedFrom }: DocumentReading): boolean {
  return adaptedFrom === bareMemoryToV1Adapter.name;
}

function join(a: DocumentReading, b: DocumentReading): DocumentReading {
  const memories = [...a.memories, ...b.memories];
  return { ...a, memories, issues: [...a.issues, ...b.issues], repairs: a.repairs + b.repairs };
}

/** "No memories" is only said when the answer was whole and its list empty (decision 30). */
function assertEmpty({ memories, issues, problem, isListWhole }: DocumentReading, isWhole: boolean): void {
  if (problem !== null) throw new LLMError('parsing', problem);
  const isUnfinished = !isListWhole && issues.every(({ code }) => code === 'cut' || code === 'unclear');
  if (isUnfinished || (memories.length === 0 && !isWhole)) throw new LLMError('parsing', CUT_TOO_EARLY);
  if (memories.length === 0) return;
  const count = `None of the ${memories.length} memories of the answer can be used`;
  throw new LLMError('parsing', `${count}: ${describeIssues(issues)}.`);
}

function finishMemories(
  { memories }: DocumentReading,
  messageIds: ReadonlyMap<string, string> | undefined,
): ExtractedMemory[] {
  const newPlaces: number[] = [];
  const kept: ExtractedMemory[] = [];
  for (const [place, memory] of memories.entries()) if (memory) newPlaces[place] = kept.push(memory) - 1;
  return pointRelationsTo(kept, newPlaces).map((memory) => ({
    ...memory,
    evidence: messageIds ? nameSources(memory.evidence, messageIds) : memory.evidence,
  }));
}

// A memory that a user only agreed to is often cited with the question as well: that is no false evidence.
function nameSources(evidence: readonly Evidence[], messageIds: ReadonlyMap<string, string>): Evidence[] {
  return evidence
    .filter(({ message_id }) => messageIds.has(message_id) || !CONTEXT_NAME.test(message_id))
    .map(({ message_id, quote }) => ({ message_id: messageIds.get(message_id) ?? message_id, quote }));
}

const CUT_TOO_EARLY = 'The answer ended before its first memory was complete. Use fewer and shorter memories.';
const AGREED_FORM = `one JSON object with "schemaVersion": "${RESPONSE_SCHEMA_VERSION}" and the list "memories"`;

function describeUnreadable(text: string, hasDocument: boolean, truncated: boolean): string {
  if (truncated) return CUT_TOO_EARLY;
  if (!hasDocument) return `The answer is not JSON (${text.length} characters). Use ${AGREED_FORM}, and no other text.`;
  try {
    JSON.parse(text);
    return `The answer is JSON but not in the agreed form. Use ${AGREED_FORM}.`;
  } catch (error) {
    // V8 says the place for some mistakes only; the rest of its message quotes the text.
    const place = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    const where = place === undefined ? '' : ` from character ${place} on`;
    return `The answer is not valid JSON${where} and could not be repaired. Use ${AGREED_FORM}.`;
  }
}
