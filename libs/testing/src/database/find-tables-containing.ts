import type { AdminQuery } from '../processes/annals-system.js';

/**
 * Tables with a row that contains the word, in any case and in any column of any type: bytes are read as text and as
 * hexadecimals.
 */
export async function findTablesContaining(query: AdminQuery, word: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'annals' ORDER BY 1`,
  );
  const hex = Buffer.from(word).toString('hex');
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query(`SELECT FROM annals.${name} t WHERE t::text ILIKE ANY ($1) LIMIT 1`, [
      [`%${word}%`, `%${hex}%`],
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
