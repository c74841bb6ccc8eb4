/** Who says a line: the user, another participant, supervisor or executor, an assistant that is no such agent, a tool. */
const SPEAKERS = {
  U: { role: 'user', isUser: true, isAgent: false },
  O: { role: 'user', isUser: false, isAgent: false },
  S: { role: 'assistant', isUser: false, isAgent: true },
  E: { role: 'assistant', isUser: false, isAgent: true },
  A: { role: 'assistant', isUser: false, isAgent: false },
  T: { role: 'tool', isUser: false, isAgent: false },
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
