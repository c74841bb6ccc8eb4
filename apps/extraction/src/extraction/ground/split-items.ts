import type { ExtractedItem } from '@annals/contracts';
import { remapRelations, splitStatement } from '@annals/domain';

/**
 * Divides compound statements, so that one half can end alone
 * (docs/reference/truth-and-time.md#compound-statements). The halves share evidence; relations to a compound lead to its
 * first half.
 */
export function splitItems(items: readonly ExtractedItem[]): ExtractedItem[] {
  const newIndexes: number[] = [];
  const parts: ExtractedItem[] = [];
  for (const [index, item] of items.entries()) {
    newIndexes[index] = parts.length;
    const contents = item.type === 'semantic' ? splitStatement(item.content) : [item.content];
    parts.push(...contents.map((content) => (content === item.content ? item : { ...item, content })));
  }
  return parts.length === items.length ? parts : remapRelations(parts, newIndexes);
}
