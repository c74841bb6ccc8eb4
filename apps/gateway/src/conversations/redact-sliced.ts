import { type Redaction, type RedactionOptions, redactText, type Sliced } from '@annals/domain';

/** Redacts a text in slices (docs/reference/privacy.md#redaction-before-storage). */
// oxlint-disable-next-line require-yield
export function* redactSliced(text: string, options: RedactionOptions): Sliced<Redaction> {
  return redactText(text, options);
}
