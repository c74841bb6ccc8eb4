import type { CIRCUIT_STATES, EventName, EVENTS, FieldKind } from './events.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The provider that was called; `none` where no provider is involved. */
export type LogProvider = 'local' | 'claude' | 'openai' | 'hashed' | 'rerank' | 'onnx' | 'none';

/** Values that may be logged. The caller must not pass user content; the logger additionally removes secrets. */
type LogValue =
  string | number | boolean | null | undefined | readonly LogValue[] | { readonly [key: string]: LogValue };

/** Tokens used by one provider call, as integers. */
type LoggedTokenUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
};

/**
 * The envelope fields that a caller may set (docs/reference/logging-and-metrics.md#log-envelope). Durations are in ms,
 * amounts of money in micro-USD.
 */
interface EnvelopeFields {
  readonly requestId?: string | undefined;
  readonly provider?: LogProvider | undefined;
  readonly model?: string | undefined;
  readonly errorType?: string | undefined;
  readonly attempt?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly costMicroUSD?: number | undefined;
  /** Percent, 0 to 100. */
  readonly budgetUtilization?: number | undefined;
  readonly circuitState?: (typeof CIRCUIT_STATES)[number] | undefined;
}

/**
 * Forbidden fields (docs/reference/logging-and-metrics.md#forbidden-field-names), and two flags that may only be
 * `true`.
 */
interface GuardedFields {
  readonly ts?: never;
  readonly budgetUtilizationPct?: never;
  readonly additional?: never;
  readonly usageEstimated?: true | undefined;
  readonly derivedRetry?: true | undefined;
}

interface KindValues {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly tokenUsage: LoggedTokenUsage;
  readonly error: unknown;
}
type KindValue<K extends FieldKind> = K extends readonly (infer Value)[] ? Value : KindValues[K & keyof KindValues];

type FieldsOf<E extends EventName> = (typeof EVENTS)[E]['fields'];

/** The required fields of an event. */
type RequiredFields<E extends EventName> = {
  readonly [F in keyof FieldsOf<E>]: F extends 'provider'
    ? LogProvider
    : FieldsOf<E>[F] extends FieldKind
      ? KindValue<FieldsOf<E>[F]>
      : never;
};

/**
 * All fields that a caller may pass with an event: the required ones, the envelope, further safe fields, and an `error`
 * of any type.
 */
type EventFields<E extends EventName> = RequiredFields<E> &
  EnvelopeFields &
  GuardedFields & { readonly error?: unknown } & { readonly [extra: string]: unknown };

type Arguments<E extends EventName> = keyof FieldsOf<E> extends never
  ? [event: E, fields?: EventFields<E>]
  : [event: E, fields: EventFields<E>];

export interface Logger {
  debug<E extends EventName>(...line: Arguments<E>): void;
  info<E extends EventName>(...line: Arguments<E>): void;
  warn<E extends EventName>(...line: Arguments<E>): void;
  error<E extends EventName>(...line: Arguments<E>): void;
  isEnabled(level: LogLevel): boolean;
  /** Creates a logger that adds these fields to each line. */
  child(fields: EnvelopeFields & { readonly [extra: string]: LogValue }): Logger;
}
