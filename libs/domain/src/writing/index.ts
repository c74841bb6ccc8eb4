export { type CheckedStatement, checkWriting, type WritingRule } from './check-writing.js';
export { findProcedure, type FoundProcedure } from './find-procedure.js';
export { composeProcedure, MAX_STEP_LENGTH, MAX_STEPS, type Procedure, formatStep } from './procedure.js';
export { trimWriting } from './trim-writing.js';
