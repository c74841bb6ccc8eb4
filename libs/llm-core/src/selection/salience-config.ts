/** For a conversation that is too long (docs/reference/extraction.md#choice-of-messages-by-salience). */
export interface SalienceConfig {
  /** Weight of the mood delta's magnitude. */
  readonly weightDelta: number;
  /** Weight of emotion words. */
  readonly weightEmotion: number;
  /** Maximum number of messages to select, before their neighbours are added. */
  readonly topK: number;
  /** Minimum number of messages to select, even above the token cap. */
  readonly minMessages: number;
  /** Token budget of the selected messages; 90 % of it is used. */
  readonly maxTokens: number;
}

/** See docs/reference/extraction.md#salience-score. */
export const DEFAULT_SALIENCE_CONFIG: SalienceConfig = {
  weightDelta: 0.5,
  weightEmotion: 0.3,
  topK: 24,
  minMessages: 5,
  maxTokens: 3_000,
};

/** Estimates are not exact (docs/reference/extraction.md#token-cap-of-a-prompt). */
const SAFETY_MARGIN = 0.9;

/** Maximum estimated tokens of the messages in a prompt. */
export function computeTokenCap({ maxTokens }: Pick<SalienceConfig, 'maxTokens'>): number {
  return maxTokens * SAFETY_MARGIN;
}
