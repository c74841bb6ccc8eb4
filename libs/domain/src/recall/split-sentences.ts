const SENTENCE = /[^.!?\n]+[.!?]*["')\]]*/g;

/** The sentences and lines of a text, each trimmed; a full stop inside a number or a name does not end a sentence. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const { 0: piece, index } of text.matchAll(SENTENCE)) {
    open += piece;
    const next = text[index + piece.length];
    // "3.5", "example.com": text that continues without a space is the same sentence.
    if (next !== undefined && !/[\s]/.test(next) && /[.!?]$/.test(piece)) continue;
    if (open.trim() !== '') sentences.push(open.trim());
    open = '';
  }
  if (open.trim() !== '') sentences.push(open.trim());
  return sentences;
}
