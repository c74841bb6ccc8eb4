/** Abbreviations that do not end a sentence: "Dr. Weber", "e.g. tea", "J. Smith", "9 a.m. on Monday". */
const ABBREVIATION =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Mx|Dr|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|approx|Inc|Ltd|Co|No|Nr|Str|bzw|ca|z\.B|d\.h|[ap]\.m|\p{Lu}|(?:\p{Lu}\.)+\p{Lu})\.$/u;
const END = /[.!?…]+["'”’)\]]*(?=\s|$)|[。！？]+/gu;

/**
 * The sentences of a memory, trimmed, in order. A full stop within a number, a name or an abbreviation does not end a
 * sentence.
 */
export function splitStatement(content: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: mark, index } of content.matchAll(END)) {
    const end = index + mark.length;
    const isLast = content.slice(end).trim() === '';
    if (!isLast && mark === '.' && ABBREVIATION.test(content.slice(start, end))) continue;
    sentences.push(content.slice(start, end).trim());
    start = end;
  }
  const rest = content.slice(start).trim();
  return rest === '' ? sentences : [...sentences, rest];
}
