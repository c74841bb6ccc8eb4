import {
  countVectors,
  Database,
  DatabaseUnavailableError,
  type PgConnection,
  StatementEndedError,
  type VectorCount,
} from '@annals/storage';
import { type Finding, ok, skip, warn } from '../report.js';

const CHECK = 'embeddings.stored';

/** Counting reads every memory and vector: a large store must not keep the doctor, or the doctor the store, for long. */
const MAX_COUNT_MS = 10_000;

export interface VectorInspection {
  readonly model: string;
  readonly isOffline: boolean;
}

/** Which models the stored vectors are of; not counted when offline. */
export async function inspectVectors(
  connection: PgConnection,
  { model, isOffline }: VectorInspection,
): Promise<Finding> {
  if (isOffline) return skip(CHECK, 'Stored vectors were not counted (--offline).');
  try {
    return evaluateVectors(await count(connection, model), model);
  } catch (error) {
    return explainCountFailure(error);
  }
}

async function count(connection: PgConnection, model: string): Promise<VectorCount[]> {
  const database = await Database.open({
    ...connection,
    role: 'annals_app',
    poolSize: 1,
    prepared: false,
    applicationName: 'annals-doctor',
    limits: { statementMs: MAX_COUNT_MS },
  });
  try {
    return await countVectors(database, model);
  } finally {
    await database.close();
  }
}

/** Of a count that was not completed; other errors are thrown again. */
export function explainCountFailure(error: unknown): Finding {
  if (!(error instanceof DatabaseUnavailableError)) throw error;
  if (!(error instanceof StatementEndedError)) {
    const found = 'Stored vectors were not counted: the connection to PostgreSQL was lost or refused.';
    return warn(CHECK, found, 'Start the doctor again when PostgreSQL answers.');
  }
  const found = `Stored vectors were not counted: PostgreSQL did not finish within ${MAX_COUNT_MS / 1_000} s.`;
  const advice = 'Start the doctor again at a quieter time; the job memory_vectors embeds what needs it anyway.';
  return warn(CHECK, found, advice);
}

/** Warns when memories have vectors, but none of the configured model: after a change of it. */
export function evaluateVectors(counts: readonly VectorCount[], configuredModel: string): Finding {
  const current = counts.find(({ model }) => model === configuredModel)?.memories ?? 0;
  const without = counts.find(({ model }) => model === null)?.memories ?? 0;
  const others = counts.filter(({ model }) => model !== null && model !== configuredModel);
  const stored = `${describeCount(current)} a vector of the configured model ${configuredModel}`;
  const pending = without === 0 ? '' : `, ${describeCount(without)} none yet`;
  if (others.length === 0) return ok(CHECK, `${stored}${pending}.`);
  const named = others.map(({ model, memories }) => `${describeCount(memories)} only one of ${model}`).join(', ');
  const [largest] = others.toSorted((a, b) => b.memories - a.memories);
  return warn(
    CHECK,
    `${stored}, ${named}${pending}: those are found by words only.`,
    `The job memory_vectors embeds them anew, within hours of the start with this model. If ${largest!.model} should stay the model, set ANNALS_EMBEDDINGS… back to it first.`,
  );
}

function describeCount(memories: number): string {
  return memories === 1 ? '1 memory has' : `${memories} memories have`;
}
