import type {
  ImportedConversation,
  ImportedMemory,
  ImportedMessage,
  ImportedRecord,
  ImportRefusal,
} from '@annals/contracts';
import type { ContextValue } from '@annals/domain';

export interface Refusal {
  readonly code: ImportRefusal;
  /** A sentence that says what to do. */
  readonly detail: string;
}

/** A message as the gateway passes it on: redacted. */
export interface MessageToImport extends ImportedMessage {
  /** HMAC of the text as it came in; null for one that was forgotten, whose text nobody has. */
  readonly contentHmac: Buffer | null;
  readonly acceptedHmacs: readonly Buffer[];
  readonly refusal: Refusal | null;
}

export interface ConversationToImport extends Omit<ImportedConversation, 'messages'> {
  readonly messages: readonly MessageToImport[];
}

/** A memory as the gateway passes it on: redacted, with what its own checks say. */
export interface MemoryToImport extends Omit<ImportedMemory, 'sources'> {
  /** `quotes`: the quote redacted, and as it came in: the message may be stored in either form. */
  readonly sources: readonly { readonly messageId: string; readonly quotes: readonly string[] }[];
  readonly refusal: Refusal | null;
}

/** A value of the user context as the gateway passes it on: redacted, with what its own checks say. */
export type ValueToImport = ContextValue & {
  /** RFC 3339. */
  readonly since: string;
  readonly refusal: Refusal | null;
};

export interface RecordsToImport {
  readonly userId: string;
  readonly actor: string;
  readonly source: string;
  readonly values: readonly ValueToImport[];
  readonly conversations: readonly ConversationToImport[];
  readonly memories: readonly MemoryToImport[];
  /** Nothing is kept: messages that memories rest on count as imported. */
  readonly isDryRun: boolean;
  /** Epoch ms. */
  readonly now: number;
  /** W3C traceparent of the request. */
  readonly trace: string | null;
}

export type ConversationImported = ImportedRecord & { messages: ImportedRecord[] };

export const taken = (id: string): ImportedRecord => ({ outcome: 'taken', id });
export const alreadyThere = (id: string): ImportedRecord => ({ outcome: 'already_there', id });
export const refused = ({ code, detail }: Refusal): ImportedRecord => ({ outcome: 'refused', id: null, code, detail });

export const FORGOTTEN: Refusal = {
  code: 'forgotten',
  detail: 'It was deleted or forgotten here, and stays so. Add it by hand if it is to be remembered again.',
};
/** Whether what was known at a time was erased since. `erasedAt`: epoch ms. */
export const isErased = (at: string, erasedAt: number | null) => erasedAt !== null && Date.parse(at) <= erasedAt;

export const ERASED: Refusal = {
  code: 'erased',
  detail: 'The user was erased after this was known, and it stays so. Import it for another user_id, or leave it.',
};
