import { countVectors, Database, type PgConnection, type VectorCount } from '@annals/storage';
import { type Finding, ok, warn } from '../report.js';

const CHECK = 'embeddings.stored';

/** Which models the stored vectors are of. */
export async function inspectVectors(connection: PgConnection, configuredModel: string): Promise<Finding> {
  const database = await Database.open({
    ...connection,
    role: 'annals_app',
    poolSize: 1,
    prepared: false,
    applicationName: 'annals-doctor',
  });
  try {
    return evaluateVectors(await countVectors(database, configuredModel), configuredModel);
  } finally {
    await database.close();
  }
}

/** Warns when memories have vectors, but none of the configured model: after a change of it. */
export function evaluateVectors(counts: readonly VectorCount[], configuredModel: string): Finding {
  const current = counts.find(({ model }) => model === configuredModel)?.memories ?? 0;
  const without = counts.find(({ model }) => model === null)?.memories ?? 0;
  const others = counts.filter(({ model, waiting }) => model !== null && waiting > 0);
  const stored = `${count(current)} a vector of the configured model ${configuredModel}`;
  const pending = without === 0 ? '' : `, ${count(without)} none yet`;
  if (others.length === 0) return ok(CHECK, `${stored}${pending}.`);
  const named = others.map(({ model, waiting }) => `${count(waiting)} only one of ${model}`).join(', ');
  const [largest] = others.toSorted((a, b) => b.waiting - a.waiting);
  return warn(
    CHECK,
    `${stored}, ${named}${pending}: those are found by words only.`,
    `The job memory_vectors embeds them anew, within hours of the start with this model. If ${largest!.model} should stay the model, set ANNALS_EMBEDDINGS… back to it first.`,
  );
}

function count(memories: number): string {
  return memories === 1 ? '1 memory has' : `${memories} memories have`;
}
