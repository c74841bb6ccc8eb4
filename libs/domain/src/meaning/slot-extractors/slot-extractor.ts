import type { Clause } from '../parse-clause.js';
import type { Slot } from '../slot.js';

/** Extracts one kind of slot; null when the clause is of another kind, or ambiguous. */
export type SlotExtractor = (clause: Clause) => Slot | null;

/** Adverbs that do not change the meaning. */
export const ADVERBS =
  '(?:(?:now|currently|still|just|recently|actually|really|finally|officially|permanently|absolutely|truly|totally|simply|always|definitely|already) )*';

/** Words with which a statement holds beside others of its kind, or only sometimes. */
const BESIDE_OTHERS =
  /\b(?:also|too|as well|part[- ]time|sometimes|occasionally|often|usually|temporarily|half|weekends?|evenings?|nights?|summers?|winters?|during|between|second|another|both|either|side|freelance|volunteers?|interns?|until|would|will|might|may|could|wants?|hopes?|plans?|considering)\b/;

/** Whether the clause describes one of several values, or hedges. */
export function isOneOfSeveral({ predicate }: Clause): boolean {
  return BESIDE_OTHERS.test(predicate);
}
