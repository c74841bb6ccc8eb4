import { signDeletionLine, FIRST_SIGNATURE, parseJson, verifyDeletionLine } from '@annals/domain';
import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { z } from 'zod';
import type { Database } from '../database/database.js';
import { DeletionsFileError, type ListKeys } from './deletions-file.js';
import { type DaySpending, readSpending } from './lost-spending.js';

const DAY_MS = 86_400_000;
const FORMAT = 'annals.spending.v1';

const spendingSchema = z.strictObject({
  format: z.literal(FORMAT),
  exported_at: z.string(),
  spending: z.array(
    z.strictObject({ tenant_id: z.uuid(), day: z.iso.date(), provider: z.string(), micro_usd: z.number().int() }),
  ),
  signature: z.string(),
});

/** Beside a list of deletions: what today and yesterday have cost, for a restored ledger to go on from. */
export function spendingPathOf(list: string): string {
  return `${list}.spending`;
}

/** Writes what today and yesterday have cost beside the list `list`, as a whole. `now`: epoch ms. */
export async function exportSpending(
  database: Database,
  list: string,
  { keys, now }: { readonly keys: ListKeys; readonly now: number },
): Promise<void> {
  const yesterday = new Date(now - DAY_MS).toISOString().slice(0, 10);
  const spending = await readSpending(database, yesterday);
  const file = spendingPathOf(list);
  const fields = {
    format: FORMAT,
    exported_at: new Date(now).toISOString(),
    spending: spending.map(({ tenantId, day, provider, microUsd }) => ({
      tenant_id: tenantId,
      day,
      provider,
      micro_usd: microUsd,
    })),
  };
  const unfinished = `${file}.new`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await handle.writeFile(
      `${JSON.stringify({ ...fields, signature: signDeletionLine(keys[0], FIRST_SIGNATURE, fields) })}\n`,
    );
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

/** Null without a file. @throws DeletionsFileError for one that was changed */
export async function readSpendingFile(file: string, keys: ListKeys): Promise<DaySpending[] | null> {
  if (!existsSync(file)) return null;
  const parsed = spendingSchema.safeParse(parseJson(await readFile(file, 'utf8')));
  if (parsed.success) {
    const { signature, ...fields } = parsed.data;
    if (keys.some((key) => verifyDeletionLine(key, FIRST_SIGNATURE, fields, signature))) {
      return fields.spending.map((one) => ({
        tenantId: one.tenant_id,
        day: one.day,
        provider: one.provider,
        microUsd: one.micro_usd,
      }));
    }
  }
  throw new DeletionsFileError(
    `${file} was changed, or signed with another ANNALS_SECRET_KEY: use another copy, name the key in ANNALS_SECRET_KEY_ACCEPTED, or remove it and lower today's budget by what was spent.`,
  );
}
