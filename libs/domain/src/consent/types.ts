import type { ContextField, ProposalState, SensitiveField } from '@annals/contracts';

/** A message in which signals are detected. Times are epoch ms. */
export interface ObservedMessage {
  readonly id: string;
  readonly role: string;
  /** The speaker, in a conversation of several people; null: the user. */
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
 * Kind of a signal. `statement`: the person stated a value about themselves. `consent`: requested its use.
 * `acknowledgement`: the same in words that are only clear when the value is known. `denial`: said that a value is
 * wrong. `retraction`: requested that it is not used. `insight`: inferred, not stated.
 */
export type SignalKind = 'statement' | 'consent' | 'acknowledgement' | 'denial' | 'retraction' | 'insight';

export interface ContextSignal {
  readonly field: ContextField;
  /** Null in a retraction of the field's value, whatever it is. */
  readonly value: string | null;
  readonly kind: SignalKind;
  readonly messageId: string;
  readonly saidAt: number;
}

export type DetectedSignal = Pick<ContextSignal, 'field' | 'value' | 'kind'>;

export interface CurrentValue {
  /** Null when it was cleared. */
  readonly value: string | null;
  /** Epoch ms of the person's statement: earlier statements no longer change the value. */
  readonly since: number;
  /** `ui`, `chat`, `signals`, `insight` or `import`. */
  readonly by: string;
}

export type SingleField = SensitiveField | 'tone';

/** What only the settings page sets: neither stated in a conversation nor proposed. */
export type SettingField = 'insights';

export interface ContextState {
  readonly id: string;
  readonly revision: number;
  readonly fields: Readonly<Partial<Record<SingleField | SettingField, CurrentValue>>>;
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
