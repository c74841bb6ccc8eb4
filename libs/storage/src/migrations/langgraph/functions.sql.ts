import { ERASED_WITH_USER as ERASED_BEFORE, APP_TENANT_TABLES } from '../apps/functions.sql.js';
import { PRESERVE_LOCK_AND_NOTE } from '../deletions/functions.sql.js';
import { DELETED_BEHIND_WORK } from '../minds/functions.sql.js';
import { eraseAndSealFunction } from '../sealing/functions.sql.js';
import {
  createFunctions,
  deleteTenantFunction,
  type DefinerFunction,
  dropFunctions,
} from '../sql/definer-functions.sql.js';
import { LANGGRAPH_CHECKPOINTS } from './checkpoints.sql.js';

/** Tables of this migration whose rows belong to a tenant, children before parents. */
export const LANGGRAPH_CHECKPOINT_TABLES: readonly string[] = Object.keys(LANGGRAPH_CHECKPOINTS.appPrivileges);

const { work, ...ERASED_BEHIND_WORK } = ERASED_BEFORE;

/** Every table that holds something of one person, and which of its rows are theirs, in the order of deletion. */
export const ERASED_WITH_USER: Readonly<Record<string, string>> = {
  work: work!,
  ...LANGGRAPH_CHECKPOINTS.erased,
  ...ERASED_BEHIND_WORK,
};

/** The tables of a tenant in the order of deletion. */
export const DELETED_WITH_TENANT: readonly string[] = [
  'work',
  ...LANGGRAPH_CHECKPOINT_TABLES,
  ...APP_TENANT_TABLES,
  ...DELETED_BEHIND_WORK,
];

// Threads before namespaces, as everyone locks them. Whoever writes a checkpoint or a write of a task holds its namespace,
// whoever makes a namespace its thread: they are waited for, and who comes later finds none.
export const LOCK_LANGGRAPH_OF_USER = `
        PERFORM 1 FROM annals.langgraph_threads h
         WHERE h.tenant_id = own AND h.user_id = of_user ORDER BY h.thread_key FOR UPDATE;
        PERFORM 1 FROM annals.langgraph_namespaces n
          JOIN annals.langgraph_threads h ON h.tenant_id = n.tenant_id AND h.thread_key = n.thread_key
         WHERE n.tenant_id = own AND h.user_id = of_user ORDER BY n.namespace_key FOR UPDATE OF n;`;

export const LOCK_LANGGRAPH_OF_TENANT = {
  ...PRESERVE_LOCK_AND_NOTE,
  first: `${PRESERVE_LOCK_AND_NOTE.first}
        PERFORM 1 FROM annals.langgraph_threads h WHERE h.tenant_id = doomed ORDER BY h.thread_key FOR UPDATE;
        PERFORM 1 FROM annals.langgraph_namespaces n WHERE n.tenant_id = doomed ORDER BY n.namespace_key FOR UPDATE;`,
};

const REPLACED: readonly DefinerFunction[] = [
  deleteTenantFunction(DELETED_WITH_TENANT, LOCK_LANGGRAPH_OF_TENANT),
  eraseAndSealFunction(ERASED_WITH_USER, LOCK_LANGGRAPH_OF_USER),
];

export const LANGGRAPH_FUNCTIONS_SQL = [
  dropFunctions(REPLACED),
  createFunctions([...REPLACED, ...LANGGRAPH_CHECKPOINTS.functions!]),
].join(';\n');
