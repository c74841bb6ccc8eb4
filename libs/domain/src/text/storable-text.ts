const NUL = /\u0000/g;

/**
 * The text without what cannot be stored as UTF-8: NUL characters go, a lone surrogate becomes U+FFFD. For text that
 * a model wrote; callers' text is refused instead (`isStorableText` of contracts).
 */
export function makeStorable(text: string): string {
  return text.replace(NUL, '').toWellFormed();
}
