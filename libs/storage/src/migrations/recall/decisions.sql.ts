import type { RecallPart } from './recall-part.js';

export const DECISIONS: RecallPart = { tables: '', appPrivileges: {} };
