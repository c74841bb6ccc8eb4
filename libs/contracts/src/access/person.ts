import type { RouteName } from '../http/routes.js';

/** Scope of a link: it calls no route, and is exchanged for a key of the person's page. */
export const LINK_SCOPE = 'link';
/** Scope of the key of a person's page beside those of its routes: what is done with it is the person's own doing. */
export const PERSON_SCOPE = 'person';

/** The only routes that a person's page may call, each limited to the person by the binding of its key. */
export const PERSON_ROUTES: ReadonlySet<RouteName> = new Set([
  'getOwnKey',
  'endOwnKey',
  'listMemories',
  'explainMemory',
  'patchMemory',
  'deleteMemory',
  'restoreMemory',
  'getUserContext',
  'putUserContext',
  'listProposals',
  'acceptProposal',
  'rejectProposal',
  'listInsights',
  'exportUser',
  'eraseUser',
]);
