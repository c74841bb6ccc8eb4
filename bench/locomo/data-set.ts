import { readFileSync } from 'node:fs';

/** Conversations with questions about them, in the format of LoCoMo's development set (`bench/README.md`). */
export interface DataSet {
  readonly dataset: string;
  readonly conversations: readonly Conversation[];
}

export interface Conversation {
  readonly id: string;
  readonly sessions: readonly Session[];
  readonly questions: readonly Question[];
}

export interface Session {
  readonly id: string;
  /** RFC 3339. */
  readonly date: string;
  readonly messages: readonly Message[];
}

interface Message {
  readonly id: string;
  readonly speaker: string;
  /** Default: `user`, so that memories are extracted from all speakers. */
  readonly role?: 'user' | 'assistant';
  readonly text: string;
}

export interface Question {
  readonly id: string;
  readonly question: string;
  readonly category: string;
  /** Ids of the messages that answer it; a question without any is not scored. */
  readonly evidence: readonly string[];
  readonly answer: string | null;
}

/** A message with its time: a second after the one before it. */
export interface DatedMessage extends Message {
  readonly saidAt: number;
}

export function readDataSet(path: string): DataSet {
  const data = JSON.parse(readFileSync(path, 'utf8')) as Partial<DataSet>;
  if (!Array.isArray(data.conversations)) throw new Error(`${path} has no "conversations": see bench/README.md.`);
  return { dataset: data.dataset ?? path, conversations: data.conversations };
}

export function dateMessages({ date, messages }: Session): DatedMessage[] {
  return messages.map((message, index) => ({ ...message, saidAt: Date.parse(date) + index * 1_000 }));
}
