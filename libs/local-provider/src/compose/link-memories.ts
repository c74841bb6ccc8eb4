import type { ExtractedMemory } from '@annals/contracts';
import { MONTHS } from '@annals/english';
import { RELATION_WORDS } from '../clauses/introduce-people.js';

const NAME = /(?<!^)(?<![.!?] )\b\p{Lu}[\p{L}'-]*[\p{L}](?: \p{Lu}[\p{L}'-]*[\p{L}])*/gu;
const RELATION = new RegExp(String.raw`(?:'s|their) (?:[\w-]+ ){0,2}?(${RELATION_WORDS})\b`, 'g');
const NAME_STRENGTH = 0.8;
const RELATION_STRENGTH = 0.6;
const MAX_LINKS = 3;
const IGNORED = new Set([...MONTHS, 'English']);

/**
 * Links statements of one message that name the same person, place or thing (0.8) or the same relation of the speaker,
 * such as "sister" (0.6). Each points back to the earlier ones, so that an edge exists once. `offset` is the place of the
 * first one in the whole answer. Changes the given memories, which are not shared yet.
 */
export function linkMemories(memories: readonly ExtractedMemory[], speaker: string, offset: number): void {
  const mentions = memories.map(({ content }) => readMentions(content, speaker));
  memories.forEach((memory, index) => {
    const relations = mentions.slice(0, index).flatMap((earlier, at) => {
      const strength = commonStrength(earlier, mentions[index]!);
      return strength > 0 ? [{ to_index: offset + at, relation_type: 'related_to', strength }] : [];
    });
    if (relations.length > 0) memory.relations = relations.slice(0, MAX_LINKS);
  });
}

function readMentions(content: string, speaker: string): Map<string, number> {
  const mentions = new Map<string, number>();
  for (const [, word] of content.matchAll(RELATION)) mentions.set(word!, RELATION_STRENGTH);
  for (const [name] of content.matchAll(NAME)) {
    const bare = name.replace(/'s$/, '');
    if (bare !== speaker && !IGNORED.has(bare)) mentions.set(bare, NAME_STRENGTH);
  }
  return mentions;
}

function commonStrength(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let strongest = 0;
  for (const [mention, strength] of a) if (b.has(mention)) strongest = Math.max(strongest, strength);
  return strongest;
}
