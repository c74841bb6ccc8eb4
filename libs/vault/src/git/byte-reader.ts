const NEWLINE = 0x0a;

/** Lines and counted bytes of a stream, as `git fast-export` writes them. Holds no more than it was asked for and a chunk. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  /** The next line without its end, and takes it; `null` at the end of the stream. */
  async readLine(): Promise<Buffer | null> {
    const line = await this.peekLine();
    if (line !== null) this.rest = this.rest.subarray(line.length + 1);
    return line;
  }

  /** The next line without its end, which stays the next one. */
  async peekLine(): Promise<Buffer | null> {
    let from = 0;
    for (;;) {
      const end = this.rest.indexOf(NEWLINE, from);
      if (end >= 0) return this.rest.subarray(0, end);
      from = this.rest.length;
      if (!(await this.readMore())) return this.rest.length > 0 ? this.rest : null;
    }
  }

  /** The next `length` bytes; fewer when the stream ends before. */
  async readBytes(length: number): Promise<Buffer> {
    while (this.rest.length < length && (await this.readMore()));
    const bytes = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return bytes;
  }

  private async readMore(): Promise<boolean> {
    const { value, done } = await this.chunks.next();
    if (done === true) return false;
    this.rest = this.rest.length === 0 ? value : Buffer.concat([this.rest, value]);
    return true;
  }
}
