import type { Reranker } from '@annals/llm-core';
import { fail, type Finding, ok } from '../report.js';

/** Checks that the reranker's model loads; a server is called by queries only, since each request may cost money. */
export async function inspectReranker(reranker: Reranker | null): Promise<Finding[]> {
  if (!reranker?.load) return [];
  try {
    await reranker.load();
    return [ok('rerank', `The reranker ${reranker.model} was loaded.`)];
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'The reranker does not work.';
    return [fail('rerank', reason, 'Check the variables that begin with ANNALS_RERANK.')];
  }
}
