import type { MemoryQueryAnswer } from '@annals/sdk';

/** As it may be put into a prompt. Of the type `turn`: words as they were said. */
export interface RecalledText {
  readonly text: string;
  readonly type: string;
}

export const BUDGET_TOKENS = { type: 'integer', minimum: 16, maximum: 8_000, description: 'Default 512' } as const;

/** What an answer recalls, in its order. */
export function listRecalled({ core, memories, related }: MemoryQueryAnswer): RecalledText[] {
  return [...core, ...memories, ...related].map(({ text, type }) => ({ text, type }));
}

/** Lines of a list under a title; none without lines. */
export function renderList(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `- ${line}`)];
}

/** What a model reads instead of the JSON that the tool returns to a program. */
export function asText(value: string): { readonly type: 'text'; readonly value: string } {
  return { type: 'text', value };
}
