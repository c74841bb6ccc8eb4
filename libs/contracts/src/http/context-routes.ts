import { idParams, userParams } from '../primitives.js';
import * as context from './context.js';
import { defineRoute } from './route-definition.js';

/** The user context, and proposals that wait for consent (docs/reference/consent.md#sensitive-fields-need-consent). */
export const contextRoutes = {
  getUserContext: defineRoute({
    method: 'GET',
    path: '/v1/users/{user_id}/context',
    summary: 'The user context: name, pronouns, city and language that the user consented to; tone and goals.',
    tag: 'users',
    scopes: ['query', 'admin'],
    params: userParams,
    responses: { 200: context.userContextSchema },
    problems: ['forbidden_user', 'forbidden_category'],
  }),
  putUserContext: defineRoute({
    method: 'PUT',
    path: '/v1/users/{user_id}/context',
    summary: 'Set the user context from your settings page: this counts as the user’s consent.',
    tag: 'users',
    scopes: ['ingest', 'admin'],
    params: context.putUserContextParams,
    body: context.putUserContextSchema,
    idempotent: true,
    conditional: true,
    responses: { 200: context.userContextSchema },
    problems: ['forbidden_user', 'forbidden_agent', 'forbidden_category'],
  }),
  listProposals: defineRoute({
    method: 'GET',
    path: '/v1/users/{user_id}/proposals',
    summary: 'Values detected in conversations that need the user’s consent, pending and decided, newest first.',
    tag: 'users',
    scopes: ['query', 'admin'],
    params: userParams,
    query: context.listProposalsQuerySchema,
    responses: { 200: context.proposalPageSchema },
    problems: ['forbidden_user', 'forbidden_category'],
  }),
  acceptProposal: defineRoute({
    method: 'POST',
    path: '/v1/proposals/{id}/accept',
    summary: 'The user consents: the proposed value is applied.',
    tag: 'users',
    scopes: ['ingest', 'admin'],
    params: idParams,
    idempotent: true,
    responses: { 200: context.proposalDecidedSchema },
    problems: ['not_found', 'proposal_not_pending', 'forbidden_agent', 'forbidden_category'],
  }),
  rejectProposal: defineRoute({
    method: 'POST',
    path: '/v1/proposals/{id}/reject',
    summary: 'The user declines: the value is not proposed again unless they state it again.',
    tag: 'users',
    scopes: ['ingest', 'admin'],
    params: idParams,
    idempotent: true,
    responses: { 200: context.proposalDecidedSchema },
    problems: ['not_found', 'proposal_not_pending', 'forbidden_agent', 'forbidden_category'],
  }),
} as const;
