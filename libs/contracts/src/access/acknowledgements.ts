import { z } from 'zod';
import { proposalStateSchema } from '../http/context.js';
import { memoriesForgottenSchema } from '../http/forgetting.js';
import { memoryWrittenSchema } from '../http/memories.js';
import { uuidSchema } from '../primitives.js';
import type { Acknowledgement } from './route-access.js';

const revised = { revision: z.number().int() };

/** The answers of writes to a key that may not read: enough to change the same thing again, and nothing of its content. */
export const memoryAcknowledgementSchema = z.object({ id: uuidSchema, ...revised });
export const memoryWrittenAcknowledgementSchema = memoryWrittenSchema
  .pick({ outcome: true, warnings: true })
  .extend({ memory: memoryAcknowledgementSchema });
export const userContextAcknowledgementSchema = z.object({ user_id: z.string(), ...revised });
export const proposalDecidedAcknowledgementSchema = z.object({
  proposal: z.object({ id: uuidSchema, state: proposalStateSchema }),
  context: userContextAcknowledgementSchema,
});

export const memoriesForgottenAcknowledgementSchema = memoriesForgottenSchema.pick({
  dry_run: true,
  kind: true,
  plan: true,
  counts: true,
});

/** The scopes that read memories and the user context. */
const READERS = ['query', 'admin'] as const;

export const ACKNOWLEDGEMENTS = {
  memory: { unless: READERS, schema: memoryAcknowledgementSchema },
  memoryWritten: { unless: READERS, schema: memoryWrittenAcknowledgementSchema },
  userContext: { unless: READERS, schema: userContextAcknowledgementSchema },
  memoriesForgotten: { unless: READERS, schema: memoriesForgottenAcknowledgementSchema },
  proposalDecided: { unless: READERS, schema: proposalDecidedAcknowledgementSchema },
} as const satisfies Record<string, Acknowledgement>;
