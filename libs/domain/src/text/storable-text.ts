const NUL = /\u0000/g;

/**
 * The text without what cannot be stored as UTF-8: NUL characters are removed, a lone surrogate becomes U+FFFD. For
 * text from models; callers' text is rejected instead (`isStorableText` of contracts).
 */
export function makeStorable(text: string): string {
  return text.replace(NUL, '').toWellFormed();
}
