export type Bytes = AsyncIterable<Buffer>;
export type OnBytes = (count: number) => void;

/** What is read of a file, as often as needed. */
export interface Input {
  /** Bytes of all parts. */
  readonly bytes: number;
  /** Tells whether a file is the same as before: size, time and beginning. */
  readonly fingerprint: string;
  /** JSON texts: the file itself, or the conversations in an archive. `onBytes` gets how many were read. */
  parts(onBytes?: OnBytes): AsyncGenerator<Bytes>;
}

export async function* countBytes(bytes: Bytes, onBytes: OnBytes = () => undefined): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    onBytes(chunk.length);
    yield chunk;
  }
}
