import type pg from 'pg';

const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
const CHUNK_BYTES = 1 << 20;
/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** Rows in PostgreSQL's binary COPY format, encoded field by field. */
export class BinaryRows {
  private bytes = Buffer.allocUnsafe(CHUNK_BYTES * 2);
  private end = 0;

  startRow(fields: number): this {
    this.reserve(2);
    this.end = this.bytes.writeInt16BE(fields, this.end);
    return this;
  }

  /** `text`, of any kind; null is NULL. */
  text(value: string | null): this {
    if (value === null) return this.length(-1);
    const size = Buffer.byteLength(value);
    this.length(size);
    this.reserve(size);
    this.end += this.bytes.write(value, this.end, 'utf8');
    return this;
  }

  /** The binary encoding of a type: `bytea`, `uuid`, `vector`. */
  raw(value: Uint8Array): this {
    this.length(value.length);
    this.reserve(value.length);
    this.bytes.set(value, this.end);
    this.end += value.length;
    return this;
  }

  real(value: number): this {
    this.length(4);
    this.reserve(4);
    this.end = this.bytes.writeFloatBE(value, this.end);
    return this;
  }

  smallint(value: number): this {
    this.length(2);
    this.reserve(2);
    this.end = this.bytes.writeInt16BE(value, this.end);
    return this;
  }

  integer(value: number): this {
    this.length(4);
    this.reserve(4);
    this.end = this.bytes.writeInt32BE(value, this.end);
    return this;
  }

  bigint(value: number): this {
    this.length(8);
    this.reserve(8);
    this.end = this.bytes.writeBigInt64BE(BigInt(value), this.end);
    return this;
  }

  double(value: number): this {
    this.length(8);
    this.reserve(8);
    this.end = this.bytes.writeDoubleBE(value, this.end);
    return this;
  }

  timestamp(epochMs: number): this {
    return this.bigint((epochMs - EPOCH_MS) * 1_000);
  }

  /** The bytes since the last call. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.end);
    this.bytes = Buffer.allocUnsafe(CHUNK_BYTES * 2);
    this.end = 0;
    return taken;
  }

  get size(): number {
    return this.end;
  }

  private length(size: number): this {
    this.reserve(4);
    this.end = this.bytes.writeInt32BE(size, this.end);
    return this;
  }

  private reserve(size: number): void {
    if (this.end + size <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe((this.end + size) * 2);
    this.bytes.copy(grown, 0, 0, this.end);
    this.bytes = grown;
  }
}

/** The methods that pg calls on a custom query, as far as COPY needs them. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  readonly stream: {
    write(chunk: string): boolean;
    once(event: 'drain', listener: () => void): void;
    writableNeedDrain: boolean;
  };
}

/**
 * Sends rows into `target` (`table (column, …)`) as fast as PostgreSQL accepts them; `write` is called for each item.
 */
export async function copyRows<T>(
  client: pg.PoolClient,
  target: string,
  items: Iterable<T>,
  write: (rows: BinaryRows, item: T) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let failure: Error | undefined;
    const fail = (error: Error) => (failure ??= error);
    const send = async (wire: Wire) => {
      const rows = new BinaryRows();
      wire.sendCopyFromChunk(HEADER);
      for (const item of items) {
        write(rows, item);
        if (rows.size < CHUNK_BYTES) continue;
        if (failure) return;
        wire.sendCopyFromChunk(rows.take());
        if (wire.stream.writableNeedDrain) await new Promise<void>((drained) => wire.stream.once('drain', drained));
      }
      wire.sendCopyFromChunk(Buffer.concat([rows.take(), TRAILER]));
      wire.endCopyFrom();
    };
    const copy = {
      submit: (wire: Wire) => wire.query(`COPY ${target} FROM STDIN (FORMAT binary)`),
      handleCopyInResponse: (wire: Wire) => void send(wire).catch(fail),
      handleCommandComplete: () => undefined,
      handleError: fail,
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
    };
    client.query(copy as unknown as pg.Submittable);
  });
}
