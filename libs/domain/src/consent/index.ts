export { PROPOSAL_TTL_MS } from './context-draft.js';
export type { ContextBasis, ContextPlan } from './context-draft.js';
export { planDecision, planEdit, planExpiry } from './decide-context.js';
export { detectMemorySignals, detectSignals } from './detect-signals.js';
export { planContext } from './plan-context.js';
export type {
  ContextSignal,
  ContextState,
  ObservedMemory,
  ObservedMessage,
  CurrentValue,
  SignalKind,
  SingleField,
  StoredProposal,
} from './types.js';
