import { analyzeTerms, renderDay } from '@annals/english';
import { createEmbeddingProvider, loadTokenCounter } from '@annals/llm-core';
import { type Conversation, dateMessages, type DatedMessage, type Question } from './data-set.ts';
import type { QueryResult } from './query.ts';
import type { Answers, ReturnedText } from './score.ts';

// BM25 with Lucene's defaults, which know nothing of conversations.
const K1 = 1.2;
const B = 0.75;
/** Of a word in a neighbouring message, against 1 for the message's own. */
const CONTEXT_WEIGHT = 0.5;

/** The messages of a conversation, ranked for a question. */
type Search = (question: string) => Promise<DatedMessage[]>;
export type MakeSearch = (messages: readonly DatedMessage[]) => Promise<Search>;

export const BASELINES: Readonly<Record<string, MakeSearch>> = {
  'plain BM25': searchByBm25,
  'vectors only (hashed)': searchByVectors,
};

/** Ranks messages for every question with evidence by one of the baselines, in this process. */
export async function queryBaseline(conversations: readonly Conversation[], make: MakeSearch): Promise<QueryResult[]> {
  const countTokens = await loadTokenCounter();
  const results: QueryResult[] = [];
  for (const { sessions, questions } of conversations) {
    const search = await make(sessions.flatMap(dateMessages));
    for (const question of questions) {
      if (question.evidence.length > 0) results.push(await queryOne(search, question, countTokens));
    }
  }
  return results;
}

async function queryOne(
  search: Search,
  question: Question,
  countTokens: (text: string) => number,
): Promise<QueryResult> {
  const ranked = (await search(question.question)).slice(0, 100).map(toReturned);
  const within = (budget: number) => {
    let tokens = 0;
    return ranked.filter(({ text }) => {
      const cost = countTokens(text);
      if (tokens + cost > budget) return false;
      tokens += cost;
      return true;
    });
  };
  const answers: Answers = {
    atDepth: { 5: ranked.slice(0, 5), 10: ranked.slice(0, 10), 20: ranked.slice(0, 20) },
    withinTokens: { 500: within(500), 1_000: within(1_000) },
  };
  return { question, answers };
}

function toReturned({ id, text, saidAt }: DatedMessage): ReturnedText {
  return { messageIds: [id], text: `[activity] ${text} (${renderDay(saidAt)})` };
}

/** BM25 over each message with the messages before and after it, whose words count half. */
export function searchByBm25WithContext(messages: readonly DatedMessage[]): Promise<Search> {
  const own = messages.map(({ text }) => analyzeTerms(text));
  return searchDocuments(
    messages,
    own.map((document, index) => {
      const terms = new Map(document.terms);
      let { length } = document;
      for (const neighbour of [own[index - 1], own[index + 1]]) {
        if (neighbour === undefined) continue;
        for (const [term, count] of neighbour.terms) terms.set(term, (terms.get(term) ?? 0) + CONTEXT_WEIGHT * count);
        length += CONTEXT_WEIGHT * neighbour.length;
      }
      return { terms, length };
    }),
  );
}

async function searchByBm25(messages: readonly DatedMessage[]): Promise<Search> {
  return searchDocuments(
    messages,
    messages.map(({ text }) => analyzeTerms(text)),
  );
}

async function searchDocuments(
  messages: readonly DatedMessage[],
  documents: readonly { readonly terms: ReadonlyMap<string, number>; readonly length: number }[],
): Promise<Search> {
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  return async (question) => {
    const scores = documents.map(() => 0);
    for (const term of analyzeTerms(question).terms.keys()) {
      const frequencies = documents.map(({ terms }) => terms.get(term) ?? 0);
      const having = frequencies.filter((frequency) => frequency > 0).length;
      const idf = Math.log1p((documents.length - having + 0.5) / (having + 0.5));
      frequencies.forEach((frequency, index) => {
        const damping = K1 * (1 - B + (B * documents[index]!.length) / averageLength);
        scores[index] = scores[index]! + (idf * frequency * (K1 + 1)) / (frequency + damping);
      });
    }
    return sortBy(messages, scores);
  };
}

async function searchByVectors(messages: readonly DatedMessage[]): Promise<Search> {
  const embedder = createEmbeddingProvider({ provider: 'hashed' });
  const { signal } = new AbortController();
  const { vectors } = await embedder.embed(
    messages.map(({ text }) => text),
    { signal },
  );
  return async (question) => {
    const [wanted] = (await embedder.embed([question], { signal })).vectors;
    return sortBy(
      messages,
      vectors.map((vector) => vector.reduce((sum, value, axis) => sum + value * wanted![axis]!, 0)),
    );
  };
}

function sortBy(messages: readonly DatedMessage[], scores: readonly number[]): DatedMessage[] {
  const indexes = [...messages.keys()].toSorted((a, b) => scores[b]! - scores[a]! || a - b);
  return indexes.filter((index) => scores[index]! > 0).map((index) => messages[index]!);
}
