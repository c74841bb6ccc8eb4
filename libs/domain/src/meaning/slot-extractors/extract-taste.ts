import { splitWords, stem } from '@annals/english';
import { ADVERBS, type Clause } from '../parse-clause.js';
import type { Slot } from '../slot.js';

const LIKING = 'likes?|loves?|enjoys?|adores?';
const FOR = new RegExp(
  `^${ADVERBS}(?:${LIKING}|(?:is|are) ${ADVERBS}(?:fond of|a (?:big |huge )?fan of|crazy about|obsessed with)) (?<what>.+)$`,
  'u',
);
const AGAINST = new RegExp(
  `^${ADVERBS}(?:hates?|dislikes?|detests?|despises?|can ?not stand|can['’]t stand|(?:does|do) ?n['’o]t ${ADVERBS}(?:like|love|enjoy)|(?:does|do) not ${ADVERBS}(?:like|love|enjoy)|no longer (?:${LIKING})|stopped (?:liking|loving|enjoying)|used to (?:like|love|enjoy|adore)|(?:is|are) (?:not|no longer) (?:fond of|a (?:big |huge )?fan of)) (?<what>.+)$`,
  'u',
);
/** Degrees and times at the end do not change whether something is liked. */
const TAIL =
  /(?: (?:anymore|any more|now|a lot|very much|so much|these days|nowadays|lately|again|at all|the most)| (?:because|since) .*)+$/u;
const HEAD = /^(?:(?:eating|drinking|to eat|to drink|the taste of|all|the|an?|their|his|her) )+/u;
/** Statements about several things, or under a condition, do not fill a slot for any single one of them. */
const SEVERAL =
  /[,;:]|\b(?:and|or|but|than|when|if|unless|except|over|instead|without|only|how|that|which|who|it|them|this|these|those|him|her|more|less|too|also|for|in|on|with|at|from|as)\b/u;
const MAX_TASTE_WORDS = 5;

/** Whether a person likes something: "loves pizza" ends when they hate it. Only exactly the same thing counts. */
export function extractTaste(clause: Clause): Slot | null {
  if (clause.possession !== null || clause.isShared) return null;
  const against = AGAINST.exec(clause.predicate)?.groups;
  const found = against ?? FOR.exec(clause.predicate)?.groups;
  if (!found) return null;
  const what = found['what']!.replace(TAIL, '').replace(HEAD, '').toLowerCase();
  if (SEVERAL.test(what)) return null;
  const stems = splitWords(what)
    .filter((word) => word !== '')
    .map(stem);
  if (stems.length === 0 || stems.length > MAX_TASTE_WORDS) return null;
  return { key: `taste|${clause.subject}|${stems.join(' ')}`, parts: {}, holds: !against, tense: 'state' };
}
