import type { RecallPart } from './recall-part.js';

export const CONTEXT: RecallPart = { tables: '', appPrivileges: {} };
