import { forgetConversationFunction } from '../recall/erasure-functions.sql.js';
import { PRESERVE_AND_LOCK } from '../recall/functions.sql.js';
import { eraseAndSealFunction } from '../sealing/functions.sql.js';
import {
  DELETED_BEHIND_WORK,
  ERASED_WITH_USER as ERASED_BEFORE,
  FORGOTTEN_BEHIND_WORK,
} from '../minds/functions.sql.js';
import {
  createFunctions,
  deleteTenantFunction,
  type DefinerFunction,
  dropFunctions,
} from '../sql/definer-functions.sql.js';
import { WORK_OF_CONVERSATION } from '../work/functions.sql.js';
import { APP_MEMORIES } from './app-memories.sql.js';

/** Tables of this migration whose rows belong to a tenant, children before parents. */
export const APP_TENANT_TABLES: readonly string[] = Object.keys(APP_MEMORIES.appPrivileges);

const { work, ...ERASED_BEHIND_WORK } = ERASED_BEFORE;

/**
 * Every table that holds something of one person, and which of its rows are theirs, in the order of deletion: work first,
 * since who writes what belongs to a mind holds its work at the end.
 */
export const ERASED_WITH_USER: Readonly<Record<string, string>> = {
  work: work!,
  ...APP_MEMORIES.erased,
  ...ERASED_BEHIND_WORK,
};

/** Tables of a conversation, children before parents. */
export const FORGOTTEN_WITH_APPS: readonly (readonly [table: string, condition: string])[] = [
  ['work', WORK_OF_CONVERSATION],
  ...Object.entries(APP_MEMORIES.forgotten!),
  ...FORGOTTEN_BEHIND_WORK,
];

const REPLACED: readonly DefinerFunction[] = [
  deleteTenantFunction(['work', ...APP_TENANT_TABLES, ...DELETED_BEHIND_WORK], PRESERVE_AND_LOCK),
  eraseAndSealFunction(ERASED_WITH_USER),
  forgetConversationFunction(FORGOTTEN_WITH_APPS),
];

export const APP_FUNCTIONS_SQL = [
  dropFunctions(REPLACED),
  createFunctions([...REPLACED, ...APP_MEMORIES.functions!]),
].join(';\n');
