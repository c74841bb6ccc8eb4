/**
 * A delta is a list of runs. Each begins with a number: twice its length, plus one if it copies a run of the old state,
 * whose offset follows. The bytes of an inserted run follow directly. Numbers are LEB128.
 */
export type DeltaRun =
  | { readonly kind: 'copy'; readonly offset: number; readonly length: number }
  | { readonly kind: 'insert'; readonly bytes: Uint8Array };

const CONTINUATION_BIT = 0x80;
const PAYLOAD_MASK = 0x7f;
const MAX_UNIT = 2 ** 42;

export class DeltaWriter {
  private readonly parts: Uint8Array[] = [];

  copy(offset: number, length: number): void {
    if (length > 0) this.parts.push(encodeNumbers(length * 2 + 1, offset));
  }

  insert(bytes: Uint8Array): void {
    if (bytes.length > 0) this.parts.push(encodeNumbers(bytes.length * 2), bytes);
  }

  finish(): Buffer {
    return Buffer.concat(this.parts);
  }
}

export class DeltaReader {
  private at = 0;

  constructor(private readonly delta: Uint8Array) {}

  /** The next run; null at the end. Throws a RangeError for a truncated delta. */
  next(): DeltaRun | null {
    if (this.at === this.delta.length) return null;
    const first = this.readNumber();
    const length = Math.floor(first / 2);
    if (first % 2 === 1) return { kind: 'copy', offset: this.readNumber(), length };
    const bytes = this.delta.subarray(this.at, this.at + length);
    if (bytes.length < length) throw new RangeError('The delta is truncated.');
    this.at += length;
    return { kind: 'insert', bytes };
  }

  private readNumber(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.delta[this.at++];
      if (byte === undefined) throw new RangeError('The delta is truncated.');
      value += (byte & PAYLOAD_MASK) * unit;
      if (byte < CONTINUATION_BIT) return value;
      unit *= CONTINUATION_BIT;
      // Beyond it numbers lose digits, and a product of zero and infinity would pass every comparison.
      if (unit > MAX_UNIT) throw new RangeError('The delta has a number that is too large.');
    }
  }
}

function encodeNumbers(...numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const number of numbers) {
    let rest = number;
    while (rest >= CONTINUATION_BIT) {
      bytes.push((rest % CONTINUATION_BIT) + CONTINUATION_BIT);
      rest = Math.floor(rest / CONTINUATION_BIT);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}
