import { FIRST_SIGNATURE, parseJson, signDeletionLine, verifyDeletionLine } from '@annals/domain';
import { createReadStream, existsSync } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Deletion } from './stored-deletions.js';

const FORMAT = 'annals.deletions.v1';

/** The file is no list of deletions, was changed, or does not belong to this database. */
export class DeletionsFileError extends Error {
  override readonly name = 'DeletionsFileError';
}

const headerSchema = z.strictObject({ format: z.literal(FORMAT), created_at: z.string(), signature: z.string() });
const lineSchema = z.strictObject({
  seq: z.number().int().positive(),
  id: z.uuid(),
  tenant_id: z.uuid(),
  kind: z.string(),
  subject: z.string(),
  deleted_at: z.iso.datetime(),
  signature: z.string(),
});

/** Where a list ends. */
interface ListEnd {
  /** Null for a list without entries. */
  readonly last: Deletion | null;
  readonly signature: string;
  /** Length in bytes, without what a killed process has left of a line. */
  readonly bytes: number;
}

/** The audit keys of an installation: the first one signs, and signatures by any of them are valid. */
export type ListKeys = readonly [Uint8Array, ...Uint8Array[]];

/**
 * The entries of a list, in their order, each after its signature was checked, which covers all before it. Returns where
 * the list ends. @throws DeletionsFileError
 */
export async function* readDeletions(file: string, keys: ListKeys): AsyncGenerator<Deletion, ListEnd> {
  if (!existsSync(file)) throw new DeletionsFileError(`There is no list of deletions ${file}: check the path.`);
  let signature = FIRST_SIGNATURE;
  let [bytes, number]: [number, number] = [0, 0];
  let last: Deletion | null = null;
  for await (const text of readWholeLines(file)) {
    number += 1;
    const parsed = (number === 1 ? headerSchema : lineSchema).safeParse(parseJson(text));
    if (!parsed.success) {
      throw new DeletionsFileError(
        number === 1
          ? `${file} is no list of deletions: use one that annals deletions --export wrote.`
          : `Line ${number} of ${file} is no entry of a list of deletions: use another copy of the list.`,
      );
    }
    const { signature: given, ...fields } = parsed.data;
    const before = signature;
    if (!keys.some((key) => verifyDeletionLine(key, before, fields, given))) {
      throw new DeletionsFileError(
        `Line ${number} of ${file}, or one before it, was changed, or signed with another ANNALS_SECRET_KEY: use another copy of the list, or name the key it was written with in ANNALS_SECRET_KEY_ACCEPTED.`,
      );
    }
    signature = given;
    bytes += Buffer.byteLength(text) + 1;
    if ('seq' in parsed.data) {
      last = toDeletion(parsed.data);
      yield last;
    }
  }
  if (number === 0) throw new DeletionsFileError(`${file} is empty: use another copy of the list.`);
  return { last, signature, bytes };
}

/** A list that grows at its end. One process appends at a time. */
export class DeletionsFile {
  private constructor(
    readonly file: string,
    private readonly keys: ListKeys,
    private end: ListEnd,
  ) {}

  /** Opens a list, or begins one. Reads all of it. `now`: epoch ms. @throws DeletionsFileError */
  static async open(file: string, { keys, now }: { keys: ListKeys; now: number }): Promise<DeletionsFile> {
    if (!existsSync(file)) await beginList(file, keys[0], now);
    const entries = readDeletions(file, keys);
    for (;;) {
      const step = await entries.next();
      if (step.done) return new DeletionsFile(file, keys, step.value);
    }
  }

  get last(): Deletion | null {
    return this.end.last;
  }

  /** Whether it is as this object left it: nobody else has appended, cut or replaced it. */
  async isAsLeft(): Promise<boolean> {
    if (!existsSync(this.file)) return false;
    const handle = await open(this.file, 'r');
    try {
      return (await handle.stat()).size === this.end.bytes;
    } finally {
      await handle.close();
    }
  }

  /** Returns when the entries are on disk. */
  async append(deletions: readonly Deletion[]): Promise<void> {
    let { signature } = this.end;
    let text = '';
    for (const deletion of deletions) {
      const fields = toFields(deletion);
      signature = signDeletionLine(this.keys[0], signature, fields);
      text += `${JSON.stringify({ ...fields, signature })}\n`;
    }
    // What a killed process has left of a line is in the database still.
    await truncate(this.file, this.end.bytes);
    const handle = await open(this.file, 'a', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    this.end = { last: deletions.at(-1) ?? this.end.last, signature, bytes: this.end.bytes + Buffer.byteLength(text) };
  }
}

async function beginList(file: string, key: Uint8Array, now: number): Promise<void> {
  const fields = { format: FORMAT, created_at: new Date(now).toISOString() };
  const signature = signDeletionLine(key, FIRST_SIGNATURE, fields);
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ ...fields, signature })}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function toFields({ seq, id, tenantId, kind, subject, deletedAt }: Deletion) {
  return { seq, id, tenant_id: tenantId, kind, subject, deleted_at: new Date(deletedAt).toISOString() };
}

function toDeletion(line: z.infer<typeof lineSchema>): Deletion {
  const { seq, id, tenant_id: tenantId, kind, subject, deleted_at: deletedAt } = line;
  return { seq, id, tenantId, kind, subject, deletedAt: Date.parse(deletedAt) };
}

/** Lines with their end: the part of a line that a killed process wrote is left out. */
async function* readWholeLines(file: string): AsyncGenerator<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const isWhole = size === 0 || (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] === 0x0a;
    let previous: string | undefined;
    for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
      if (previous !== undefined) yield previous;
      previous = line;
    }
    if (previous !== undefined && isWhole) yield previous;
  } finally {
    await handle.close();
  }
}
