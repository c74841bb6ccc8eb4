export { adviseAgainst, adviseWriting, joinAdvice, type WritingAdvice } from './advise-writing.js';
export { checkManualWriting, type ManualWriting } from './check-manual-writing.js';
export { type CheckedStatement, checkWriting } from './check-writing.js';
export { composeProcedure, findProcedure, formatStep, type FoundProcedure } from './procedure.js';
export { splitStatement } from './split-statement.js';
export { trimWriting } from './trim-writing.js';
