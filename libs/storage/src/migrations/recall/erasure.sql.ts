import type { RecallPart } from './recall-part.js';

export const ERASURE: RecallPart = { tables: '', appPrivileges: {} };
