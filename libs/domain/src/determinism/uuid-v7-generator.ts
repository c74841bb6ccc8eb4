import { v7 } from 'uuid';
import type { Clock } from './clock.js';
import type { Rng } from './rng.js';
import { readSystemRandomBytes } from './system.js';

export interface IdGenerator {
  /** A new lower-case UUIDv7; ids of one generator sort in the order of their creation. */
  next(): string;
}

const RANDOM_BYTES = 16;
// Random bytes are read for this many ids at a time: each call to the host takes several microseconds.
const IDS_PER_REFILL = 64;

/**
 * Generates strictly increasing UUIDv7s: while the clock does not advance, a 32-bit sequence counts up; when it
 * overflows, the timestamp is incremented. Without `rng` the random bits come from the host's cryptographic generator.
 */
export class UuidV7Generator implements IdGenerator {
  private lastMs = -Infinity;
  private sequence = 0;
  private pool: Uint8Array = new Uint8Array(0);
  private poolOffset = 0;

  constructor(
    private readonly clock: Clock,
    private readonly rng?: Rng,
  ) {}

  next(): string {
    const random = this.rng ? generateBytes(this.rng) : this.readPooledBytes();
    this.advance(random);
    return v7({ msecs: this.lastMs, seq: this.sequence, random });
  }

  private readPooledBytes(): Uint8Array {
    if (this.poolOffset === this.pool.length) {
      this.pool = readSystemRandomBytes(RANDOM_BYTES * IDS_PER_REFILL);
      this.poolOffset = 0;
    }
    this.poolOffset += RANDOM_BYTES;
    return this.pool.subarray(this.poolOffset - RANDOM_BYTES, this.poolOffset);
  }

  private advance(random: Uint8Array): void {
    const nowMs = Math.floor(this.clock.now());
    if (nowMs > this.lastMs) {
      this.lastMs = nowMs;
      this.sequence = startSequence(random);
      return;
    }
    this.sequence = (this.sequence + 1) >>> 0;
    if (this.sequence === 0) this.lastMs += 1;
  }
}

function generateBytes(rng: Rng): Uint8Array {
  return Uint8Array.from({ length: RANDOM_BYTES }, () => Math.floor(rng.nextFloat() * 256));
}

/** Bytes 6-9, which v7 itself would use, with the top bit clear, so that the sequence does not overflow early. */
function startSequence(random: Uint8Array): number {
  return new DataView(random.buffer, random.byteOffset).getUint32(6) & 0x7fffffff;
}
