import { countVectors, type PgConnection, type VectorCount } from '@annals/storage';
import { type Finding, ok, skip, warn } from '../report.js';
import { readStored } from './read-stored.js';

const CHECK = 'embeddings.stored';

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
  return readStored(connection, { check: CHECK, unread: 'Stored vectors were not counted' }, async (database) =>
    evaluateVectors(await countVectors(database, model), model),
  );
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
