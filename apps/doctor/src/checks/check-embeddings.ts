import { type EmbeddingProvider, LLMError } from '@annals/llm-core';
import { fail, type Finding, formatUsd, ok, skip } from '../report.js';

const SAMPLE = ['The user keeps two cats.'];

/** Checks that the embedding server returns vectors of the configured dimensions. Costs a few tokens. */
export async function checkEmbeddings(
  embedder: EmbeddingProvider,
  { isOffline, signal }: { isOffline: boolean; signal: AbortSignal },
): Promise<{ readonly finding: Finding; readonly spentMicroUsd: number }> {
  const free = (finding: Finding) => ({ finding, spentMicroUsd: 0 });
  if (embedder.name === 'hashed')
    return free(ok('embeddings', 'Vectors are computed in the process, from hashed words.'));
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
