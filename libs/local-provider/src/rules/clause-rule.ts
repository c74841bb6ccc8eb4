import type { SubjectKind } from '../clauses/read-subject.js';

/** The default ones that rules file under (docs/reference/categories-and-agents.md#default-categories). */
type LocalCategory =
  | 'profile'
  | 'preferences'
  | 'relationships'
  | 'goals'
  | 'tasks'
  | 'projects'
  | 'event'
  | 'activity'
  | 'interests'
  | 'knowledge'
  | 'history'
  | 'constraints';

/**
 * Beside the pattern: `noun` a word for something in particular, `day` a date, `date` both, `detail` two nouns or both, `value`
 * a date, time, number, colour or name at the end.
 */
type Requirement = 'noun' | 'date' | 'day' | 'detail' | 'value';

/**
 * One way of saying something worth keeping. `predicate` is matched against what is said of the subject, in lower
 * case, contractions expanded, "are/were" after "we" read as "am/was", fillers ("just", "actually") dropped.
 * `importance` 1–5 and `confidence` 0–1 are where scoring starts.
 */
export interface ClauseRule {
  name: string;
  category: LocalCategory;
  /** Default: `semantic`. */
  type?: 'episodic';
  importance: number;
  confidence: number;
  /** Default: the speaker, alone or with others. */
  subjects?: readonly SubjectKind[];
  /** Matched against the subject's words, for subjects of kind `own`. */
  phrase?: RegExp;
  predicate: RegExp;
  unless?: RegExp;
  tense?: 'past' | 'present';
  /** Default: nothing more than the pattern. */
  needs?: Requirement;
}

export const SELF: readonly SubjectKind[] = ['self'];
export const SELF_OR_GROUP: readonly SubjectKind[] = ['self', 'group'];
export const OWN: readonly SubjectKind[] = ['own'];

/** Adverbs that may stand before a verb without changing which rule applies. */
export const ADVERBS =
  '(?:(?:still|always|usually|often|sometimes|never|currently|now|already|finally|recently|mostly|generally|especially|particularly|only|even|once|rarely|typically|mainly|regularly|normally|both|all|kind of|sort of|pretty|very|so|quite|also|too|a bit|originally|mostly|officially|temporarily|really|secretly|slowly|probably|eventually|hopefully|almost|not) )*';

export function predicate(source: string): RegExp {
  return new RegExp(`^${ADVERBS}(?:${source})`);
}
