import type { ImportedContext, ImportedMemory, ImportedMessage, ImportRecords } from '@annals/contracts';
import { createSliceMeter, type RedactionOptions, redactSliced, type Sliced } from '@annals/domain';
import type { ConversationToImport, MemoryToImport, MessageToImport, ValueToImport } from '@annals/storage';
import { computeContentHmac, type RedactionContext } from '../conversations/redact-messages.js';

type Context = Omit<RedactionContext, 'now'>;
/** Distributes over the members of a union. */
type Unchecked<Record extends { readonly refusal: unknown }> = Record extends unknown ? Omit<Record, 'refusal'> : never;

interface RedactedRecords {
  readonly values: readonly Unchecked<ValueToImport>[];
  readonly conversations: readonly (Omit<ConversationToImport, 'messages'> & {
    readonly messages: readonly Unchecked<MessageToImport>[];
  })[];
  readonly memories: readonly Unchecked<MemoryToImport>[];
}

/** What may be stored of an import (docs/reference/privacy.md#redaction-before-storage); placeholders stay as they are. */
export function* redactRecords(
  { user_context: stated, conversations, memories }: ImportRecords,
  context: Context,
): Sliced<RedactedRecords> {
  const texts = new TextRedactor(context.redaction);
  const values = stated ? yield* redactValues(stated, texts) : [];
  const all: RedactedRecords['conversations'][number][] = [];
  for (const conversation of conversations) {
    const messages: Unchecked<MessageToImport>[] = [];
    for (const message of conversation.messages) messages.push(yield* redactMessage(message, texts, context));
    all.push({ ...conversation, messages });
  }
  const facts: Unchecked<MemoryToImport>[] = [];
  for (const memory of memories) facts.push(yield* redactMemory(memory, texts));
  return { values, conversations: all, memories: facts };
}

function* redactValues({ goals, ...fields }: ImportedContext, texts: TextRedactor): Sliced<Unchecked<ValueToImport>[]> {
  const values: Unchecked<ValueToImport>[] = [];
  for (const field of typedKeys(fields)) {
    const { value, since } = fields[field] ?? {};
    if (since !== undefined) values.push({ field, value: value ? yield* texts.redact(value) : null, since });
  }
  for (const { value, since } of goals) values.push({ field: 'goals', value: yield* texts.redact(value), since });
  return values;
}

const typedKeys = <Fields extends object>(fields: Fields) => Object.keys(fields) as (keyof Fields)[];

function* redactMessage(
  message: ImportedMessage,
  texts: TextRedactor,
  context: Context,
): Sliced<Unchecked<MessageToImport>> {
  const { content, forgotten_at: forgottenAt } = message;
  const hmacBy = (secret: Context['secret']) => computeContentHmac(secret, context, content);
  return {
    ...message,
    content: yield* texts.redact(content),
    // Of a message that was forgotten nobody has the text: then its id alone tells that it is sent again.
    contentHmac: forgottenAt === null ? hmacBy(context.secret) : null,
    acceptedHmacs: forgottenAt === null ? context.acceptedSecrets.map(hmacBy) : [],
  };
}

function* redactMemory(memory: ImportedMemory, texts: TextRedactor): Sliced<Unchecked<MemoryToImport>> {
  const sources: MemoryToImport['sources'][number][] = [];
  for (const { message_id: messageId, quote } of memory.sources) {
    sources.push({ messageId, quotes: [yield* texts.redact(quote), quote] });
  }
  return {
    ...memory,
    content: yield* texts.redact(memory.content),
    rationale: memory.rationale === null ? null : yield* texts.redact(memory.rationale),
    emotional_context: (yield* texts.redactWithin(memory.emotional_context)) as ImportedMemory['emotional_context'],
    relationship_dynamics: (yield* texts.redactWithin(
      memory.relationship_dynamics,
    )) as ImportedMemory['relationship_dynamics'],
    sources,
  };
}

/** Short texts share a slice, long ones have several (docs/reference/request-limits.md#work-in-slices). */
class TextRedactor {
  private readonly meter = createSliceMeter();

  constructor(private readonly options: RedactionOptions) {}

  *redact(text: string): Sliced<string> {
    yield* this.meter(text.length);
    return (yield* redactSliced(text, this.options)).text;
  }

  /** The strings within a value; names of fields stay. */
  *redactWithin(value: unknown): Sliced<unknown> {
    if (typeof value === 'string') return yield* this.redact(value);
    if (typeof value !== 'object' || value === null) return value;
    const entries: [string, unknown][] = [];
    for (const [name, each] of Object.entries(value)) entries.push([name, yield* this.redactWithin(each)]);
    return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
  }
}
