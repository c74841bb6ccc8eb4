import type { MindPart } from './mind-part.js';

export const INSIGHTS: MindPart = {
  tables: '',
  appPrivileges: {},
};
