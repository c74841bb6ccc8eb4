import { CHECKPOINTS } from './checkpoints.sql.js';
import { CONTEXT } from './context.sql.js';
import { DECISIONS } from './decisions.sql.js';
import { ERASURE } from './erasure.sql.js';
import { LEXICAL } from './lexical.sql.js';
import { LIFECYCLE } from './lifecycle.sql.js';
import type { RecallPart } from './recall-part.js';
import { VECTORS } from './vectors.sql.js';

/** Later parts may stand on earlier ones. */
export const RECALL_PARTS: readonly RecallPart[] = [
  LEXICAL,
  VECTORS,
  DECISIONS,
  LIFECYCLE,
  CONTEXT,
  CHECKPOINTS,
  ERASURE,
];

/** Tables of this migration whose rows belong to a tenant, children before parents. */
export const RECALL_TENANT_TABLES: readonly string[] = RECALL_PARTS.toReversed().flatMap(({ appPrivileges }) =>
  Object.keys(appPrivileges),
);

/** Tables of earlier migrations that this one drops. */
export const DROPPED_TABLES: readonly string[] = ['memory_terms'];
