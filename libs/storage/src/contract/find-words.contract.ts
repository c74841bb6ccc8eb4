import type { StorageBench } from './storage-bench.contract.js';

/** Tables with a row that holds the word in any column, whatever its type: bytes are read as text and as hexadecimals. */
export async function findWord(bench: StorageBench, word: string): Promise<string[]> {
  const tables = await bench.look<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'annals' ORDER BY 1`,
  );
  const hex = Buffer.from(word).toString('hex');
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await bench.look(`SELECT FROM ${name} t WHERE t::text ILIKE $1 OR t::text ILIKE $2 LIMIT 1`, [
      `%${word}%`,
      `%${hex}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
