export {
  type CheckedStatement,
  checkWriting,
  MAX_STATEMENT_LENGTH,
  MAX_STATEMENT_SENTENCES,
  WRITING_RULES,
  type WritingRule,
} from './check-writing.js';
export { trimWriting } from './trim-writing.js';
