import { FORGOTTEN, forgetConversationFunction } from '../recall/erasure-functions.sql.js';
import { PRESERVE_AND_LOCK, RECALL_DELETION_ORDER } from '../recall/functions.sql.js';
import { eraseAndSealFunction } from '../sealing/functions.sql.js';
import {
  createFunctions,
  deleteTenantFunction,
  type DefinerFunction,
  dropFunctions,
} from '../sql/definer-functions.sql.js';
import { ERASED_WITH_USER as ERASED_BEFORE, WORK_OF_CONVERSATION } from '../work/functions.sql.js';
import { MIND_PARTS, MIND_TENANT_TABLES, MINDS_ERASED, MINDS_FORGOTTEN } from './parts.js';
import { SUBJECT_OF_USER } from './runs.sql.js';
import { LEASE_IN_LINE } from './scheduled-work.sql.js';

const { work: _work, ...ERASED_BESIDE_WORK } = ERASED_BEFORE;

/**
 * Every table that holds something of one person, and which of its rows are theirs: children before parents, and work
 * first, since who writes what belongs to a mind holds its work at the end.
 */
export const ERASED_WITH_USER: Readonly<Record<string, string>> = {
  work: SUBJECT_OF_USER,
  ...MINDS_ERASED,
  ...ERASED_BESIDE_WORK,
};

const isNotOutbox = (table: string) => table !== 'outbox';

/** The tables of a tenant, children before parents, behind `work`. */
export const DELETED_BEHIND_WORK: readonly string[] = [
  ...MIND_TENANT_TABLES,
  ...RECALL_DELETION_ORDER.filter(isNotOutbox),
];

/** Tables of a conversation, children before parents, behind `work`. */
export const FORGOTTEN_BEHIND_WORK: readonly (readonly [table: string, condition: string])[] = [
  ...MINDS_FORGOTTEN,
  ...FORGOTTEN.filter(([table]) => isNotOutbox(table)),
];

const REPLACED: readonly DefinerFunction[] = [
  deleteTenantFunction(['work', ...DELETED_BEHIND_WORK], PRESERVE_AND_LOCK),
  eraseAndSealFunction(ERASED_WITH_USER),
  forgetConversationFunction([['work', WORK_OF_CONVERSATION], ...FORGOTTEN_BEHIND_WORK]),
  LEASE_IN_LINE,
];

export const MIND_FUNCTIONS_SQL = [
  dropFunctions(REPLACED),
  createFunctions([...REPLACED, ...MIND_PARTS.flatMap(({ functions = [] }) => functions)]),
].join(';\n');
