export {
  decideProposal,
  type DecideProposalResult,
  type EditContextResult,
  editUserContext,
  expireProposals,
} from './decide-context.js';
export { type ContextInsight, type ContextObservation, observeContext, observeInsight } from './observe-context.js';
export { findProposal, getUserContext, listProposals } from './read-context.js';
