import type { RecallPart } from './recall-part.js';

export const LEXICAL: RecallPart = { tables: '', appPrivileges: {} };
