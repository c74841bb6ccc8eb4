import { newUserParams, userParams } from '../primitives.js';
import { createPersonLinkSchema, personLinkSchema, personLinksRevokedSchema } from './person-links.js';
import { defineRoute } from './route-definition.js';

/** Links to the page on which a person sees and corrects what is remembered about them (docs/person-page.md). */
export const personRoutes = {
  createPersonLink: defineRoute({
    method: 'POST',
    path: '/v1/users/{user_id}/links',
    summary: 'Make a link to the person’s own page, which opens once.',
    tag: 'users',
    scopes: ['admin'],
    params: newUserParams,
    body: createPersonLinkSchema,
    idempotent: true,
    responses: { 201: personLinkSchema },
    problems: ['forbidden_user', 'forbidden_category', 'public_url_missing'],
  }),
  revokePersonLinks: defineRoute({
    method: 'DELETE',
    path: '/v1/users/{user_id}/links',
    summary: 'Revoke all links of a person, and close the pages that were opened with them.',
    tag: 'users',
    scopes: ['admin'],
    params: userParams,
    idempotent: true,
    responses: { 200: personLinksRevokedSchema },
    problems: ['forbidden_user', 'forbidden_category'],
  }),
} as const;
