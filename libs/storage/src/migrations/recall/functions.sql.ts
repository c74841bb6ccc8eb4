import { METERING_DELETION_ORDER, PRESERVE_SPENDING } from '../metering/functions.sql.js';
import { createFunctions, deleteTenantFunction } from '../sql/definer-functions.sql.js';
import { DROPPED_TABLES, RECALL_PARTS, RECALL_TENANT_TABLES } from './parts.js';

/** Children before parents. */
export const RECALL_DELETION_ORDER = [
  ...RECALL_TENANT_TABLES,
  ...METERING_DELETION_ORDER.filter((table) => !DROPPED_TABLES.includes(table)),
];

/** Who notes reads holds the memories first and their notes second: it passes by what is locked here. */
const LOCK_MEMORIES = /* sql */ `
        PERFORM 1 FROM annals.memories m WHERE m.tenant_id = doomed FOR UPDATE;`;

/** What the deletion of a tenant does beyond deleting rows. */
export const PRESERVE_AND_LOCK = { ...PRESERVE_SPENDING, first: LOCK_MEMORIES + PRESERVE_SPENDING.first };

export const RECALL_FUNCTIONS_SQL = [
  'DROP FUNCTION annals.delete_tenant',
  createFunctions([
    deleteTenantFunction(RECALL_DELETION_ORDER, PRESERVE_AND_LOCK),
    ...RECALL_PARTS.flatMap(({ functions = [] }) => functions),
  ]),
].join(';\n');
