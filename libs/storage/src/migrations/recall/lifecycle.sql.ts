import type { RecallPart } from './recall-part.js';

export const LIFECYCLE: RecallPart = { tables: '', appPrivileges: {} };
