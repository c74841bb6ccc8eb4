import { parseJson, verifyHeadsSignature, signHeads } from '@annals/domain';
import type { ChainHead } from '@annals/storage';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const FORMAT = 'annals.heads.v1';

/** The file is not a heads file, or is not signed by this installation. */
export class HeadsFileError extends Error {
  override readonly name = 'HeadsFileError';
}

/**
 * Writes heads as lines of JSON, the last of which signs all before it. Never overwrites a file (EEXIST), since a
 * rewritten history is detected by an older export. Returns the number of heads.
 */
export async function writeHeadsFile(
  file: string,
  heads: AsyncIterable<ChainHead>,
  { key, now }: { key: Uint8Array; now: number },
): Promise<number> {
  const handle = await open(file, 'wx', 0o600);
  try {
    const digest = createHash('sha256');
    let count = 0;
    const write = async (line: object) => {
      const text = `${JSON.stringify(line)}\n`;
      digest.update(text);
      await handle.write(text);
    };
    await write({ format: FORMAT, exported_at: new Date(now).toISOString() });
    for await (const { tenantId, userId, seq, head } of heads) {
      await write({ tenant_id: tenantId, user_id: userId, seq, head });
      count += 1;
    }
    await handle.write(`${JSON.stringify({ count, signature: signHeads(key, digest.digest('hex')) })}\n`);
    await handle.sync();
    return count;
  } finally {
    await handle.close();
  }
}

/** The heads of a file, after its signature was checked. Throws HeadsFileError. */
export async function* readHeadsFile(file: string, keys: readonly Uint8Array[]): AsyncGenerator<ChainHead> {
  await checkSignature(file, keys);
  for await (const line of readLines(file)) {
    const { tenant_id: tenantId, user_id: userId, seq, head } = parseLine(line);
    if (typeof head === 'string') {
      yield { tenantId: String(tenantId), userId: String(userId), seq: Number(seq), head };
    }
  }
}

async function checkSignature(file: string, keys: readonly Uint8Array[]): Promise<void> {
  const digest = createHash('sha256');
  let first: string | undefined;
  let last: string | undefined;
  for await (const line of readLines(file)) {
    first ??= line;
    if (last !== undefined) digest.update(`${last}\n`);
    last = line;
  }
  if (first === undefined || parseLine(first).format !== FORMAT) {
    throw new HeadsFileError(`${file} is not a heads file: use one that annals verify --export-heads wrote.`);
  }
  const { signature } = parseLine(last!);
  const hex = digest.digest('hex');
  if (typeof signature !== 'string' || !keys.some((key) => verifyHeadsSignature(key, hex, signature))) {
    throw new HeadsFileError(
      `${file} was changed since it was exported, or it was signed with another ANNALS_SECRET_KEY: set that in ANNALS_SECRET_KEY_ACCEPTED.`,
    );
  }
}

function readLines(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  const value = parseJson(line);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
