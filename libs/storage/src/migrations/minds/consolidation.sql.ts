import type { MindPart } from './mind-part.js';

export const CONSOLIDATION: MindPart = {
  tables: '',
  appPrivileges: {},
};
