import { z } from 'zod';
import { proposalStateSchema } from '../http/context.js';
import { memoryWrittenSchema } from '../http/memories.js';
import { uuidSchema } from '../primitives.js';
import type { Receipt } from './route-access.js';

const revised = { revision: z.number().int() };

/** The answers of writes to a key that may not read: enough to change the same thing again, and nothing of its content. */
export const memoryReceiptSchema = z.object({ id: uuidSchema, ...revised });
export const memoryWrittenReceiptSchema = memoryWrittenSchema
  .pick({ outcome: true })
  .extend({ memory: memoryReceiptSchema });
export const userContextReceiptSchema = z.object({ user_id: z.string(), ...revised });
export const proposalDecidedReceiptSchema = z.object({
  proposal: z.object({ id: uuidSchema, state: proposalStateSchema }),
  context: userContextReceiptSchema,
});

/** The scopes that read memories and the user context. */
const READERS = ['query', 'admin'] as const;

export const RECEIPTS = {
  memory: { unless: READERS, schema: memoryReceiptSchema },
  memoryWritten: { unless: READERS, schema: memoryWrittenReceiptSchema },
  userContext: { unless: READERS, schema: userContextReceiptSchema },
  proposalDecided: { unless: READERS, schema: proposalDecidedReceiptSchema },
} as const satisfies Record<string, Receipt>;
