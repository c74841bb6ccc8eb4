import { removeHidden } from '@annals/domain';
import type { ReadSummary } from '@annals/storage';

/** The text of a summary, as it is served. */
export function renderSummary({ sentences }: Pick<ReadSummary, 'sentences'>): string {
  return sentences.map(({ text }) => removeHidden(text)).join(' ');
}
