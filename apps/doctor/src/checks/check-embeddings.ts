import { type EmbeddingProvider, LLMError } from '@annals/llm-core';
import { fail, type Finding, formatUsd, ok, skip } from '../report.js';

const SAMPLE = ['The user keeps two cats.'];

/** Checks that the embedding server, or the model in the process, returns vectors of the configured dimensions. */
export async function checkEmbeddings(
  embedder: EmbeddingProvider,
  { isOffline, signal }: { isOffline: boolean; signal: AbortSignal },
): Promise<{ readonly finding: Finding; readonly spentMicroUsd: number }> {
  const free = (finding: Finding) => ({ finding, spentMicroUsd: 0 });
  if (embedder.name === 'hashed')
    return free(ok('embeddings', 'Vectors are computed in the process, from hashed words.'));
  if (embedder.name === 'onnx') return free(await checkInProcess(embedder, signal));
  if (isOffline) return free(skip('embeddings', 'The embedding server was not called (--offline).'));
  try {
    const { vectors, usage } = await embedder.embed(SAMPLE, { signal });
    const found = `${embedder.model} returns vectors of ${vectors[0]!.length} dimensions (${formatUsd(usage.costMicroUsd)}).`;
    return { finding: ok('embeddings', found), spentMicroUsd: usage.costMicroUsd };
  } catch (error) {
    const reason = error instanceof LLMError ? error.message : 'The embedding server does not answer.';
    const advice = 'Check the variables that begin with ANNALS_EMBEDDINGS.';
    return free(fail('embeddings', reason, advice));
  }
}

async function checkInProcess(embedder: EmbeddingProvider, signal: AbortSignal): Promise<Finding> {
  try {
    await embedder.load?.();
    const { vectors } = await embedder.embed(SAMPLE, { signal });
    return ok('embeddings', `${embedder.model} makes vectors of ${vectors[0]!.length} dimensions in the process.`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'The embedding model does not work.';
    return fail('embeddings', reason, 'Check the variables that begin with ANNALS_EMBEDDINGS.');
  }
}
