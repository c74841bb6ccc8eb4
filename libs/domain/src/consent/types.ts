import type { ContextField, ProposalState, SensitiveField } from '@annals/contracts';

/** A message as consent is looked for in it. Times are epoch ms. */
export interface ObservedMessage {
  readonly id: string;
  readonly role: string;
  /** Who spoke, in a conversation of several; null: the user. */
  readonly actorId: string | null;
  readonly content: string;
  readonly saidAt: number;
}

/** A memory that was extracted from some of the messages, with its evidence. */
export interface ObservedMemory {
  readonly content: string;
  readonly messageIds: readonly string[];
}

/**
 * What a person did by saying something. `statement`: told it of themselves. `consent`: asked for it to be used.
 * `acknowledgement`: the same in words that are only clear when the value is known. `denial`: said that it does not hold.
 * `retraction`: asked for it not to be used. `insight`: nobody said it, it was inferred.
 */
export type SignalKind = 'statement' | 'consent' | 'acknowledgement' | 'denial' | 'retraction' | 'insight';

/** One thing that a message says of a field. */
export interface ContextSignal {
  readonly field: ContextField;
  /** Null in a retraction of whatever the field holds. */
  readonly value: string | null;
  readonly kind: SignalKind;
  readonly messageId: string;
  readonly saidAt: number;
}

/** What a rule finds in a clause. */
export type DetectedSignal = Pick<ContextSignal, 'field' | 'value' | 'kind'>;

/** A value that is in use. */
export interface CurrentValue {
  /** Null when it was cleared. */
  readonly value: string | null;
  /** Epoch ms at which the person said so: what they said before does not change it any more. */
  readonly since: number;
  /** `ui`, `chat`, `signals` or `insight`. */
  readonly by: string;
}

export type SingleField = SensitiveField | 'tone';

/** What is used of a person. */
export interface ContextState {
  readonly id: string;
  readonly revision: number;
  readonly fields: Readonly<Partial<Record<SingleField, CurrentValue>>>;
  readonly goals: readonly CurrentValue[];
}

export interface StoredProposal {
  readonly id: string;
  readonly field: ContextField;
  readonly value: string | null;
  readonly key: string;
  readonly state: ProposalState;
  readonly messageIds: readonly string[];
  readonly saidAt: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedAt: number | null;
  readonly decidedBy: string | null;
}
