import type { Clause } from '../parse-clause.js';
import type { Slot } from '../slot.js';

/** Reads one kind of slot; null when the clause is of another kind, or when it leaves a doubt. */
export type SlotExtractor = (clause: Clause) => Slot | null;

/** Adverbs that do not change what is said. */
export const ADVERBS =
  '(?:(?:now|currently|still|just|recently|actually|really|finally|officially|permanently|absolutely|truly|totally|simply|always|definitely|already) )*';

/** What makes a statement hold beside others of its kind, or only now and then. */
const BESIDE_OTHERS =
  /\b(?:also|too|as well|part[- ]time|sometimes|occasionally|often|usually|temporarily|half|weekends?|evenings?|nights?|summers?|winters?|during|between|second|another|both|either|side|freelance|volunteers?|interns?|until|would|will|might|may|could|wants?|hopes?|plans?|considering)\b/;

/** Whether the clause says that it is one of several, or hedges. */
export function isOneOfSeveral({ predicate }: Clause): boolean {
  return BESIDE_OTHERS.test(predicate);
}
