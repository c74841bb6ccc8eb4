import type { CIRCUIT_STATES, EventName, EVENTS, FieldKind } from './events.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Who answered: `none` where no provider is involved. */
export type LogProvider = 'local' | 'claude' | 'openai' | 'hashed' | 'rerank' | 'onnx' | 'none';

/** What may be logged. User content is kept out by the caller; secrets are also stripped by the logger. */
export type LogValue =
  string | number | boolean | null | undefined | readonly LogValue[] | { readonly [key: string]: LogValue };

/** Tokens used by one provider call: whole numbers. */
export type LoggedTokenUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
};

/**
 * The fields of the envelope that a caller may give (docs/reference/logging-and-metrics.md#log-envelope). Durations in
 * ms, money in micro-USD.
 */
export interface EnvelopeFields {
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
 * Removed fields (docs/reference/logging-and-metrics.md#forbidden-field-names), and two flags that only exist as
 * `true`.
 */
interface GuardedFields {
  readonly ts?: never;
  readonly budgetUtilizationPct?: never;
  readonly additional?: never;
  readonly usageEstimated?: true | undefined;
  readonly derivedRetry?: true | undefined;
}

type KindValue<K extends FieldKind> = K extends readonly (infer Word)[]
  ? Word
  : K extends 'string'
    ? string
    : K extends 'number'
      ? number
      : K extends 'boolean'
        ? boolean
        : K extends 'tokenUsage'
          ? LoggedTokenUsage
          : unknown;

type FieldsOf<E extends EventName> = (typeof EVENTS)[E]['fields'];

/** The fields an event must have. */
export type RequiredFields<E extends EventName> = {
  readonly [F in keyof FieldsOf<E>]: F extends 'provider'
    ? LogProvider
    : FieldsOf<E>[F] extends FieldKind
      ? KindValue<FieldsOf<E>[F]>
      : never;
};

/** Everything a caller may say about an event: what it must, the envelope, any safe extra, and an `error` of any kind. */
export type EventFields<E extends EventName> = RequiredFields<E> &
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
  /** A logger that adds these fields to each of its lines. */
  child(fields: EnvelopeFields & { readonly [extra: string]: LogValue }): Logger;
}
