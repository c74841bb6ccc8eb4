import { z } from 'zod';
import { pageOf, pageShape, pathIdSchema, storableText, uuidSchema } from '../primitives.js';

/** Fields that change only with the person's consent (docs/reference/consent.md#sensitive-fields-need-consent). */
export const SENSITIVE_FIELDS = ['preferred_name', 'pronouns', 'city', 'language'] as const;
export type SensitiveField = (typeof SENSITIVE_FIELDS)[number];

/** Fields of a user's context that can be proposed; `goals_add` adds to the goals. */
export const CONTEXT_FIELDS = [...SENSITIVE_FIELDS, 'tone', 'goals_add'] as const;
export const contextFieldSchema = z.enum(CONTEXT_FIELDS);
export type ContextField = z.infer<typeof contextFieldSchema>;

export const MAX_CONTEXT_VALUE_LENGTH = 200;
export const MAX_GOALS = 20;

export const contextValueSchema = storableText(1, MAX_CONTEXT_VALUE_LENGTH).refine((text) => text.trim() === text, {
  error: 'Remove the white space at the beginning or end.',
});
const fieldSchema = contextValueSchema.nullable().optional();

/** Whether insights about a person are made and served (docs/reference/insights.md#switching-insights-off). */
export const insightsSwitchSchema = z.enum(['on', 'off']);
export type InsightsSwitch = z.infer<typeof insightsSwitchSchema>;

export const putUserContextParams = z.strictObject({ user_id: pathIdSchema });

export const putUserContextSchema = z
  .strictObject({
    preferred_name: fieldSchema,
    pronouns: fieldSchema,
    city: fieldSchema,
    language: fieldSchema,
    tone: fieldSchema,
    goals: z.array(contextValueSchema).max(MAX_GOALS).optional(),
    insights: insightsSwitchSchema
      .nullable()
      .optional()
      .describe(
        '`off`: no insights are made about the person, and none are served. null: the default of the installation.',
      ),
  })
  .refine((context) => Object.values(context).some((value) => value !== undefined), {
    error: 'Name at least one of preferred_name, pronouns, city, language, tone, goals, insights.',
  })
  .describe('What the person states about themselves. Omitted fields are unchanged; null clears a field.');
export type PutUserContext = z.infer<typeof putUserContextSchema>;

export const userContextSchema = z.object({
  user_id: z.string(),
  revision: z.number().int().describe('Raised by every change; 0: nothing is known yet. Send it in `If-Match`.'),
  preferred_name: z.string().nullable(),
  pronouns: z.string().nullable(),
  city: z.string().nullable(),
  language: z.string().nullable(),
  tone: z.string().nullable(),
  goals: z.array(z.string()),
  insights: insightsSwitchSchema.nullable().describe('null: the default of the installation (`ANNALS_INSIGHTS`).'),
  updated_at: z.string().nullable(),
});
export type UserContext = z.infer<typeof userContextSchema>;

/** State of a proposal. `withdrawn`: the person retracted it or stated a newer value. */
export const PROPOSAL_STATES = ['pending', 'accepted', 'rejected', 'withdrawn', 'expired'] as const;
export const proposalStateSchema = z.enum(PROPOSAL_STATES);
export type ProposalState = z.infer<typeof proposalStateSchema>;

export const proposalSchema = z.object({
  id: uuidSchema,
  user_id: z.string(),
  field: contextFieldSchema,
  value: z.string().nullable().describe('The proposed value of the field; null: clear it.'),
  state: proposalStateSchema,
  message_ids: z.array(uuidSchema).describe('The messages that the proposal is based on.'),
  created_at: z.string(),
  expires_at: z.string(),
  decided_at: z.string().nullable(),
  decided_by: z.string().nullable(),
});
export type Proposal = z.infer<typeof proposalSchema>;

export const listProposalsQuerySchema = z.strictObject({
  state: proposalStateSchema.optional(),
  ...pageShape,
});
export type ListProposalsQuery = z.infer<typeof listProposalsQuerySchema>;

export const proposalPageSchema = pageOf(proposalSchema);
export type ProposalPage = z.infer<typeof proposalPageSchema>;

export const proposalDecidedSchema = z.object({ proposal: proposalSchema, context: userContextSchema });
export type ProposalDecided = z.infer<typeof proposalDecidedSchema>;
