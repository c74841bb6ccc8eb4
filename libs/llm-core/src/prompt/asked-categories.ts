/**
 * The categories a model may choose from: those of SYS §5 that a sentence of a user can belong to. `activity` holds the
 * turns themselves, `recent_activity` and `relationship_dynamic` are derived, `procedural` is on request only.
 */
export const ASKED_CATEGORIES = [
  'profile',
  'preferences',
  'goals',
  'relationships',
  'tasks',
  'projects',
  'event',
  'interests',
  'knowledge',
  'history',
  'constraints',
  'tone',
  'style',
] as const;
