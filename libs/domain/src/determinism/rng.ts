/** Uniform; injected, so that jitter can be replayed (docs/reference/determinism.md#injected-randomness). */
export interface Rng {
  /** A float in [0, 1). */
  nextFloat(): number;
}

const MULTIPLIER = 1103515245;
const INCREMENT = 12345;
const MASK_31_BITS = 0x7fffffff;
const RANGE = 0x80000000;

/**
 * A linear congruential generator (docs/reference/determinism.md#seeded-generator). Two errors of the published sample
 * are corrected, since it promises [0, 1): the product is taken in exact 32-bit arithmetic (a double loses its low bits
 * above 2^53), and the state is divided by 2^31 (dividing by 2^31 - 1 can return 1).
 */
export class SeededRng implements Rng {
  private state: number;
  private sequence?: readonly number[];
  private sequenceIndex = 0;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  nextFloat(): number {
    const fixed = this.sequence?.[this.sequenceIndex % this.sequence.length];
    if (fixed !== undefined) {
      this.sequenceIndex += 1;
      return fixed;
    }
    this.state = (Math.imul(this.state, MULTIPLIER) + INCREMENT) & MASK_31_BITS;
    return this.state / RANGE;
  }

  /** Restarts from `seed`; a fixed sequence restarts from its first value. */
  reset(seed: number): void {
    this.state = seed | 0;
    this.sequenceIndex = 0;
  }

  /** Returns these values cyclically instead of generated ones; an empty list restores generation. */
  setSequence(values: readonly number[]): void {
    this.sequence = values.length > 0 ? [...values] : undefined;
    this.sequenceIndex = 0;
  }
}
