import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from './index.js';

/**
 * SHA-256 of what each migration runs. What has run on somebody's database never changes: write a new migration and add
 * its sum here. Only a migration that no release contains yet may be edited, together with its line.
 */
const SUMS: Record<string, string> = {
  CreateAnnals1763700000000: 'f9b2eac5efa4c4e7c7a8dedd355a1e97fb9767693a1fdb4f30b7fb70dc578f11',
  MeterModelCalls1763776800000: '2e523e5357ab0bda81995c4f788148bcffa3cbfa9f6c530b7f4ce8d1c4aa796d',
  ServeRecall1763863200000: '93f8d0c439762231401bd9d950ffb693a2eecb69c7792e19df737daf72ed8df0',
};

async function sumOf(Migration: (typeof MIGRATIONS)[number]): Promise<string> {
  const sum = createHash('sha256');
  const recorder = { query: async (sql: string) => void sum.update(sql).update('\0') };
  await new Migration().up(recorder as unknown as QueryRunner);
  return sum.digest('hex');
}

describe('migrations', () => {
  it('are what they were when they were released, oldest first', async () => {
    const sums = await Promise.all(MIGRATIONS.map(async (Migration) => [Migration.name, await sumOf(Migration)]));
    expect(sums).toEqual(Object.entries(SUMS));
  });

  it('have names in the order in which they run', () => {
    const times = MIGRATIONS.map((migration) => Number(/\d{13}$/.exec(migration.name)?.[0]));
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
  });

  it('go forward only', async () => {
    for (const Migration of MIGRATIONS) await expect(new Migration().down()).rejects.toThrow(/forward only/);
  });
});
