import { LLMError } from '@annals/llm-core';
import { isTextRefusal } from '@annals/runtime';
import type { ContentEmbedding } from '@annals/storage';
import type { ContentEmbeddings } from '../persistence/embed/content-embedder.js';

/** Refused calls of one run: enough to find about five texts among a hundred. */
const MAX_REFUSALS = 32;

/** Vectors of the texts that were accepted. */
export interface AcceptedEmbeddings {
  readonly embeddings: ContentEmbeddings;
  /** Why the other texts have none; undefined when all have one. */
  readonly problem: LLMError | undefined;
  /** Whether some of them may still be accepted, after the calls of one run are used up. */
  readonly isPartial: boolean;
}

/**
 * Embeds texts, without those that the provider refuses: a refused set is halved until the texts at fault are alone.
 * Any other error of a call ends the run with the vectors that it has.
 * @throws what `embed` throws, except LLMError
 */
export async function embedAccepted(
  contents: readonly string[],
  embed: (contents: readonly string[]) => Promise<ContentEmbeddings>,
): Promise<AcceptedEmbeddings> {
  const embeddings = new Map<string, ContentEmbedding>();
  const sets = [contents];
  let problem: LLMError | undefined;
  for (let refusals = 0; refusals < MAX_REFUSALS && sets.length > 0;) {
    const set = sets.shift()!;
    try {
      for (const [content, embedding] of await embed(set)) embeddings.set(content, embedding);
    } catch (error) {
      if (!(error instanceof LLMError)) throw error;
      problem = error;
      if (!isTextRefusal(error)) break;
      refusals += 1;
      const middle = Math.ceil(set.length / 2);
      if (set.length > 1) sets.push(set.slice(0, middle), set.slice(middle));
    }
  }
  return { embeddings, problem, isPartial: sets.length > 0 };
}
