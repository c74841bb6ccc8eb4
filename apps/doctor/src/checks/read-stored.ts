import { Database, DatabaseUnavailableError, type PgConnection, StatementEndedError } from '@annals/storage';
import { type Finding, warn } from '../report.js';

/** Reading much of a large store must not keep the doctor, or the doctor the store, for long. */
const MAX_STATEMENT_MS = 10_000;

/** What is read, for findings about a read that was not completed. */
export interface StoredFacts {
  readonly check: string;
  /** Begins the sentence: `Stored vectors were not counted`. */
  readonly unread: string;
}

/** The finding that `read` returns from the stored data, which it only reads. */
export async function readStored(
  connection: PgConnection,
  facts: StoredFacts,
  read: (database: Database) => Promise<Finding>,
): Promise<Finding> {
  try {
    const database = await Database.open({
      ...connection,
      role: 'annals_app',
      poolSize: 1,
      prepared: false,
      applicationName: 'annals-doctor',
      limits: { statementMs: MAX_STATEMENT_MS },
    });
    try {
      return await read(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    return explainReadFailure(error, facts);
  }
}

/** Of a read that was not completed; other errors are thrown again. */
export function explainReadFailure(error: unknown, { check, unread }: StoredFacts): Finding {
  if (!(error instanceof DatabaseUnavailableError)) throw error;
  if (!(error instanceof StatementEndedError)) {
    const found = `${unread}: the connection to PostgreSQL was lost or refused.`;
    return warn(check, found, 'Start the doctor again when PostgreSQL answers.');
  }
  const found = `${unread}: PostgreSQL did not finish within ${MAX_STATEMENT_MS / 1_000} s.`;
  return warn(check, found, 'Start the doctor again at a quieter time.');
}
