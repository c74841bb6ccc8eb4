import type { ContextField } from '@annals/contracts';

/** A message that insights are made from, already redacted. */
export interface InsightMessage {
  readonly id: string;
  /** The person whose insights are made said it. Only such messages can be evidence. */
  readonly isUser: boolean;
  /** As prompts name who speaks: "Ana", "user", "assistant", "participant (U7)". */
  readonly speaker: string;
  readonly content: string;
  /** Epoch ms. */
  readonly saidAt: number;
}

/** A current memory of the person. */
export interface InsightMemory {
  readonly id: string;
  readonly content: string;
  /** Of its newest source, epoch ms. */
  readonly saidAt: number;
  /** Its newest source; null without one. */
  readonly messageId: string | null;
}

/** What one run is made from, each list oldest first. */
export interface InsightInput {
  /** The person's latest messages, without those of the snippet; at most five. */
  readonly activity: readonly InsightMessage[];
  /** New memories; at most three. */
  readonly memories: readonly InsightMemory[];
  /** The end of the latest conversation; at most 1,000 characters. */
  readonly snippet: readonly InsightMessage[];
}

/** A message or memory that an insight can cite by its label. */
export interface ShownEvidence {
  /** `m1` for messages, `k1` for memories. */
  readonly label: string;
  readonly kind: 'message' | 'memory';
  readonly id: string;
  readonly content: string;
  /** Epoch ms. */
  readonly saidAt: number;
  /** The message itself, or the newest source of the memory. */
  readonly messageId: string | null;
}

/** A message or memory. */
export type EvidenceReference = Pick<ShownEvidence, 'kind' | 'id'>;

/** Fields of the user context that may be inferred; the others change with consent only. */
export type InferableField = Extract<ContextField, 'tone' | 'goals_add'>;

/** An insight as a model or the rules have worded it. */
export interface DraftedInsight {
  readonly summary: string;
  readonly tags: readonly string[];
  /** 0 to 1. */
  readonly confidence: number;
  /** Labels of what was shown. */
  readonly evidence: readonly string[];
  readonly field?: InferableField | undefined;
  readonly value?: string | undefined;
}

/** An insight that may be stored; type `insight`, category `relationship_dynamic`, not pinned. */
export interface CheckedInsight {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly importance: typeof INSIGHT_IMPORTANCE;
  readonly confidence: number;
  /** Of messages and memories that were shown; empty when it is quarantined. */
  readonly evidence: readonly ShownEvidence[];
  /** A change of the user context that it suggests, of any confidence. */
  readonly inferred: InferredField | null;
}

/** What `observeInsight` of the storage takes, but for the user. */
export interface InferredField {
  readonly field: InferableField;
  readonly value: string;
  readonly confidence: number;
  /** The newest message that it is based on. */
  readonly messageId: string;
  /** Epoch ms. */
  readonly saidAt: number;
}

/** See docs/reference/insights.md#form-of-an-insight. */
export const INSIGHT_IMPORTANCE = 2;

/** Between the end of a run about a person and the next one (docs/reference/insights.md#when-a-run-is-due). */
export const INSIGHT_INTERVAL_MS = 24 * 60 * 60 * 1_000;
