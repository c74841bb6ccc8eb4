export { type ContextBasis, type ContextPlan, PROPOSAL_TTL_MS } from './context-draft.js';
export { detectMemorySignals, detectSignals } from './detect-signals.js';
export { planContext, planDecision, planEdit, planExpiry, SINGLE_FIELDS } from './plan-context.js';
export {
  type ContextValue,
  type ImportedContextValue,
  type ImportedValueOutcome,
  planImportedContext,
} from './plan-imported-context.js';
export type * from './types.js';
