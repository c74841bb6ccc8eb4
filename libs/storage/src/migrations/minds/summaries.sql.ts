import type { MindPart } from './mind-part.js';

export const SUMMARIES: MindPart = {
  tables: '',
  appPrivileges: {},
};
