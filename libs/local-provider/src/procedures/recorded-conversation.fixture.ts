/** Who says a line: the user, supervisor or executor, an assistant that is no such agent, a tool. */
const SPEAKERS = {
  U: { role: 'user', isAgent: false },
  S: { role: 'assistant', isAgent: true },
  E: { role: 'assistant', isAgent: true },
  A: { role: 'assistant', isAgent: false },
  T: { role: 'tool', isAgent: false },
} as const;

export interface RecordedConversation {
  readonly name: string;
  /** "E: I opened the branch.": the speaker's letter, then the message. */
  readonly lines: readonly string[];
  /** The steps of the procedure that it becomes; none for a look-alike. */
  readonly steps: readonly string[];
}

/** The messages of a conversation, with ids `m1`, `m2`, …. */
export function listMessages({ lines }: Pick<RecordedConversation, 'lines'>) {
  return lines.map((line, index) => ({
    id: `m${index + 1}`,
    content: line.slice(3),
    ...SPEAKERS[line.charAt(0) as keyof typeof SPEAKERS],
  }));
}
