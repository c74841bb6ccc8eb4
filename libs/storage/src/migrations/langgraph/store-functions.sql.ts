import { eraseAndSealFunction } from '../sealing/functions.sql.js';
import {
  createFunctions,
  deleteTenantFunction,
  type DefinerFunction,
  deletedBehindWork,
  dropFunctions,
} from '../sql/definer-functions.sql.js';
import {
  DELETED_WITH_TENANT as DELETED_BEFORE,
  ERASED_WITH_USER as ERASED_BEFORE,
  LOCK_LANGGRAPH_OF_TENANT,
  LOCK_LANGGRAPH_OF_USER,
} from './functions.sql.js';
import { LANGGRAPH_STORE } from './store-items.sql.js';

/** Tables of this migration whose rows belong to a tenant, children before parents. */
export const LANGGRAPH_STORE_TABLES: readonly string[] = Object.keys(LANGGRAPH_STORE.appPrivileges);

const { work, ...ERASED_BEHIND_WORK } = ERASED_BEFORE;

/** Every table that holds something of one person, and which of its rows are theirs, in the order of deletion. */
export const ERASED_WITH_USER: Readonly<Record<string, string>> = {
  work: work!,
  ...LANGGRAPH_STORE.erased,
  ...ERASED_BEHIND_WORK,
};

/** The tables of a tenant in the order of deletion. Whoever writes items holds their user, who is locked before. */
export const DELETED_WITH_TENANT = deletedBehindWork(LANGGRAPH_STORE_TABLES, DELETED_BEFORE);

const REPLACED: readonly DefinerFunction[] = [
  deleteTenantFunction(DELETED_WITH_TENANT, LOCK_LANGGRAPH_OF_TENANT),
  eraseAndSealFunction(ERASED_WITH_USER, LOCK_LANGGRAPH_OF_USER),
];

export const LANGGRAPH_STORE_FUNCTIONS_SQL = [
  dropFunctions(REPLACED),
  createFunctions([...REPLACED, ...LANGGRAPH_STORE.functions!]),
].join(';\n');
