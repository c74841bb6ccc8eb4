import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Session } from '../locomo/data-set.ts';

/** `held-out` is measured when work on ranking is finished, and never used in it. */
export const PARTS = ['development', 'held-out'] as const;
export type Part = (typeof PARTS)[number];

export const KINDS = ['fact', 'changed', 'order', 'preference', 'instruction', 'sum', 'suggestion'] as const;

/** One chat of a person with an assistant (`bench/chats/README.md`). */
export interface Chat {
  readonly id: string;
  readonly domain: string;
  readonly sessions: readonly Session[];
  readonly questions: readonly ChatQuestion[];
}

/** A question in two forms: asked by the person and, about "the user", by an agent. */
export interface ChatQuestion {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  /** Whose messages are the evidence. */
  readonly role: 'user' | 'assistant';
  readonly first: string;
  readonly third: string;
  /** Ids of messages. */
  readonly evidence: readonly string[];
  readonly answer: string;
}

/** All chats of a part, by id. */
export function readChats(part: Part): Chat[] {
  const folder = path.join(import.meta.dirname, part);
  return readdirSync(folder)
    .toSorted()
    .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Chat);
}
