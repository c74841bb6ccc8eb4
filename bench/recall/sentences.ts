import { analyzeMemory, SeededRng, type UnitTerms } from '@annals/domain';
import { createEmbeddingProvider } from '@annals/llm-core';
import { createSentence } from '../data/memories.ts';
import { encodeHalfvec, encodeVector } from './encode-vector.ts';

/** A sentence with its derived data. */
export interface Sentence {
  readonly content: string;
  readonly terms: UnitTerms;
  /** In pgvector's binary encodings. */
  readonly vector: Buffer;
  readonly halfvec: Buffer;
}

export const CATEGORY = 'history';
export const embedder = createEmbeddingProvider({ provider: 'hashed' });

const CHUNK = 1_000;

/** Sentences that users share, most of them once per user: creating a million takes longer than storing them. */
export async function createSentences(count: number, now: number): Promise<Sentence[]> {
  const rng = new SeededRng(1);
  const sentences: Sentence[] = [];
  while (sentences.length < count) {
    const contents = Array.from({ length: Math.min(CHUNK, count - sentences.length) }, (_, index) =>
      createSentence(rng, sentences.length + index),
    );
    const { vectors } = await embedder.embed(contents, { signal: new AbortController().signal });
    contents.forEach((content, index) =>
      sentences.push({
        content,
        terms: analyzeMemory({ content, category: CATEGORY, validFrom: now, speaker: null }),
        vector: encodeVector(vectors[index]!),
        halfvec: encodeHalfvec(vectors[index]!),
      }),
    );
  }
  return sentences;
}
