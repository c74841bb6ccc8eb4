/** No real message is larger: PostgreSQL itself rejects a field above 1 GB. */
const MAX_MESSAGE_BYTES = 0x40000000;

export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}

/** Splits a client's bytes into messages. Chunks are joined once, when a message is complete: linear time. */
export class MessageReader {
  private chunks: Buffer[] = [];
  private buffered = 0;
  private needed = 0;

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
  }

  /** The next start-up packet (no type byte), or undefined when more bytes are needed. */
  nextStartup(): Buffer | undefined {
    return this.take(0);
  }

  /** The next complete typed message, or undefined when more bytes are needed. */
  nextMessage(): Buffer | undefined {
    return this.take(1);
  }

  private take(lengthOffset: 0 | 1): Buffer | undefined {
    if (this.needed === 0) {
      if (this.buffered < lengthOffset + 4) return undefined;
      const length = this.join(lengthOffset + 4).readInt32BE(lengthOffset);
      if (length < 4 || length > MAX_MESSAGE_BYTES)
        throw new MalformedMessageError('A message has an impossible length.');
      this.needed = lengthOffset + length;
    }
    if (this.buffered < this.needed) return undefined;
    const head = this.join(this.needed);
    const message = head.subarray(0, this.needed);
    const rest = head.subarray(this.needed);
    this.chunks.shift();
    if (rest.length > 0) this.chunks.unshift(rest);
    this.buffered -= this.needed;
    this.needed = 0;
    return message;
  }

  /** Makes the first chunk contain at least `bytes` bytes, which must be buffered. */
  private join(bytes: number): Buffer {
    let head = this.chunks[0] ?? Buffer.alloc(0);
    if (head.length < bytes) {
      let count = 0;
      let total = 0;
      while (total < bytes) total += this.chunks[count++]!.length;
      head = Buffer.concat(this.chunks.splice(0, count));
      this.chunks.unshift(head);
    }
    return head;
  }
}
