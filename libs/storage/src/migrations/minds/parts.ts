import { CONSOLIDATION } from './consolidation.sql.js';
import { ENERGY } from './energy.sql.js';
import { INSIGHTS } from './insights.sql.js';
import type { MindPart } from './mind-part.js';
import { RUNS } from './runs.sql.js';
import { SCHEDULED_WORK } from './scheduled-work.sql.js';
import { SUMMARIES } from './summaries.sql.js';

/**
 * Later parts may stand on earlier ones, and are deleted before them. A draw locks its meter before its run, so meters are
 * deleted before runs.
 */
export const MIND_PARTS: readonly MindPart[] = [RUNS, ENERGY, CONSOLIDATION, SUMMARIES, INSIGHTS, SCHEDULED_WORK];

const LAST_FIRST = MIND_PARTS.toReversed();

/** Tables of this migration whose rows belong to a tenant, children before parents. */
export const MIND_TENANT_TABLES: readonly string[] = LAST_FIRST.flatMap(({ appPrivileges }) =>
  Object.keys(appPrivileges),
);

/** Of these, those that a user's erasure deletes from, with the condition on the rows. */
export const MINDS_ERASED: Readonly<Record<string, string>> = Object.assign(
  {},
  ...LAST_FIRST.map(({ erased = {} }) => erased),
);

/** Of these, those that forgetting a conversation deletes from, with the condition on the rows. */
export const MINDS_FORGOTTEN: readonly (readonly [table: string, condition: string])[] = LAST_FIRST.flatMap(
  ({ forgotten = {} }) => Object.entries(forgotten),
);
