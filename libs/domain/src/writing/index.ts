export {
  type CheckedStatement,
  checkWriting,
  MAX_STATEMENT_LENGTH,
  MAX_STATEMENT_SENTENCES,
  WRITING_RULES,
  type WritingRule,
} from './check-writing.js';
export { findProcedure, type FoundProcedure } from './find-procedure.js';
export {
  composeProcedure,
  MAX_STEP_LENGTH,
  MAX_STEPS,
  MAX_TITLE_LENGTH,
  type Procedure,
  formatStep,
} from './procedure.js';
export { trimWriting } from './trim-writing.js';
