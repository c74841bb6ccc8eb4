import { userParams } from '../primitives.js';
import * as checkpoints from './checkpoints.js';
import { pageQuerySchema } from './admin.js';
import { defineRoute } from './route-definition.js';

/** What a supervisor stores between its steps (docs/reference/checkpoints.md#checkpoints-of-a-supervisor). */
export const checkpointRoutes = {
  putCheckpoint: defineRoute({
    method: 'PUT',
    path: '/v1/checkpoints/{user_id}/{thread_id}',
    summary: 'Save the state of a thread as its next version.',
    tag: 'checkpoints',
    scopes: ['ingest'],
    params: checkpoints.putCheckpointParams,
    body: checkpoints.putCheckpointSchema,
    idempotent: true,
    conditional: true,
    responses: { 201: checkpoints.checkpointInfoSchema, 200: checkpoints.checkpointInfoSchema },
    responseDescriptions: {
      201: 'The state is stored as the first version of this thread.',
      200: 'The state is stored as the next version.',
    },
    problems: ['version_conflict', 'checkpoint_too_large', 'forbidden_user', 'forbidden_category'],
  }),
  getCheckpoint: defineRoute({
    method: 'GET',
    path: '/v1/checkpoints/{user_id}/{thread_id}',
    summary: 'The newest state of a thread, or an earlier version of it.',
    tag: 'checkpoints',
    scopes: ['ingest', 'query'],
    params: checkpoints.checkpointParams,
    query: checkpoints.getCheckpointQuerySchema,
    responses: { 200: checkpoints.checkpointSchema },
    problems: ['not_found', 'forbidden_user', 'forbidden_category'],
  }),
  deleteCheckpoint: defineRoute({
    method: 'DELETE',
    path: '/v1/checkpoints/{user_id}/{thread_id}',
    summary: 'Delete the state of a thread with all its versions; `If-Match` gives the expected version.',
    tag: 'checkpoints',
    scopes: ['ingest', 'admin'],
    params: checkpoints.checkpointParams,
    idempotent: true,
    conditional: true,
    responses: { 200: checkpoints.checkpointDeletedSchema },
    problems: ['not_found', 'forbidden_user', 'forbidden_category'],
  }),
  listCheckpoints: defineRoute({
    method: 'GET',
    path: '/v1/checkpoints/{user_id}',
    summary: 'The checkpoints of a user, the most recently saved first.',
    tag: 'checkpoints',
    scopes: ['ingest', 'query', 'admin'],
    params: userParams,
    query: pageQuerySchema,
    responses: { 200: checkpoints.checkpointPageSchema },
    problems: ['forbidden_user', 'forbidden_category'],
  }),
} as const;
