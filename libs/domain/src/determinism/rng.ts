/**
 * A uniform source of randomness, injected so that jitter and tie-breaks can be replayed
 * (docs/reference/determinism.md#injected-randomness).
 */
export interface Rng {
  /** A float in [0, 1). */
  nextFloat(): number;
}
