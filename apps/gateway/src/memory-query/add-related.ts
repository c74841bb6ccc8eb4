import type { RelatedBullet } from '@annals/contracts';
import { renderAnswer } from '@annals/domain';
import type { LinkedMemory } from '@annals/storage';

/** Of one response (docs/reference/recall.md#related-memories). */
const MAX_RELATED = 2;
/** More than are returned, since the strongest may be too long for the rest of the token budget. */
export const RELATED_CANDIDATES = 6;

/** The most strongly related memories whose text fits into the rest of the token budget. */
export function addRelated(
  linked: readonly LinkedMemory[],
  budgetTokens: number,
  countTokens: (text: string) => number,
): { related: RelatedBullet[]; tokens: number } {
  const related: RelatedBullet[] = [];
  let tokens = 0;
  for (const memory of linked) {
    if (related.length === MAX_RELATED) break;
    const { id, type, category, relatedTo, relationType, strength } = memory;
    const text = renderAnswer(
      {
        kind: 'memory',
        category,
        speaker: null,
        validFrom: memory.validFrom.getTime(),
        saidAt: memory.saidAt.getTime(),
        isSuperseded: false,
      },
      memory.content,
    );
    const cost = countTokens(text);
    if (tokens + cost > budgetTokens) continue;
    tokens += cost;
    related.push({ id, type, category, text, related_to: relatedTo, relation_type: relationType, strength });
  }
  return { related, tokens };
}
