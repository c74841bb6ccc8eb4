export { decideProposal, type DecideProposalResult } from './decide-proposal.js';
export { editUserContext, type EditContextResult } from './edit-user-context.js';
export { expireProposals } from './expire-proposals.js';
export { observeContext, observeInsight, type ContextObservation, type ContextInsight } from './observe-context.js';
export { findProposal, getUserContext, listProposals } from './read-context.js';
