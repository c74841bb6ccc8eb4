import type { RecallPart } from './recall-part.js';

export const VECTORS: RecallPart = { tables: '', appPrivileges: {} };
