import type { RecallPart } from './recall-part.js';

export const ERASURE: RecallPart = {
  tables: /* sql */ `
-- What concerns a user and no single memory: consent, erasure.
ALTER TABLE annals.history ALTER COLUMN memory_id DROP NOT NULL;
`,
  appPrivileges: {},
};
