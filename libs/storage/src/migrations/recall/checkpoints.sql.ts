import type { RecallPart } from './recall-part.js';

export const CHECKPOINTS: RecallPart = { tables: '', appPrivileges: {} };
