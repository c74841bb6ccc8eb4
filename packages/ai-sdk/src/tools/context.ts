import { NotFoundError, PermissionError, type UserContext } from '@annals/sdk';
import { jsonSchema, type Tool, tool } from 'ai';
import { defined } from '../defined.js';
import type { ToolContext } from './annals-tools.js';
import { asText, BUDGET_TOKENS, listRecalled, type RecalledText, renderList } from './recalled.js';

const SINCE_REV = { type: 'integer', minimum: 0, description: 'revision of an earlier answer' } as const;

export interface ContextInput {
  /** Only with a thread: of another one, a revision means nothing. */
  readonly since_rev?: number;
  readonly budget_tokens?: number;
}

type Profile = Readonly<Record<string, string | readonly string[]>>;

export interface ContextOutput {
  readonly profile: Profile;
  readonly memories: readonly RecalledText[];
  readonly changes: readonly string[];
  /** Of the thread. */
  readonly revision?: number;
}

export function contextTool({ client, user, agent, thread }: ToolContext): Tool<ContextInput, ContextOutput> {
  return tool({
    title: 'Context',
    description: `Who the user is and what matters most about them${thread === undefined ? '' : '; with since_rev also what changed since then'}. Call it at the start of a conversation.`,
    inputSchema: jsonSchema<ContextInput>({
      type: 'object',
      properties: {
        ...(thread === undefined ? {} : { since_rev: SINCE_REV }),
        budget_tokens: BUDGET_TOKENS,
      },
      additionalProperties: false,
    }),
    async execute({ since_rev, budget_tokens }, { abortSignal }): Promise<ContextOutput> {
      const options = defined({ signal: abortSignal });
      // Before the changes: what is written in between is then told twice rather than never.
      const answer = await client.memory.query(
        { filters: { user_id: user }, ...defined({ thread_id: thread, budget_tokens, agent }) },
        options,
      );
      const profile = await client.users.context(user, options).then(listFields, noProfile);
      const changes =
        since_rev === undefined || thread === undefined
          ? []
          : await client.threads
              .delta(thread, { user_id: user, since: since_rev, limit: 1, ...defined({ agent }) }, options)
              .then(({ header }) => listChanges(header), noChanges);
      return {
        profile,
        memories: listRecalled(answer),
        changes,
        ...(thread === undefined ? {} : { revision: answer.revision }),
      };
    },
    toModelOutput: ({ output }) => asText(renderContext(output)),
  });
}

/** The fields that have a value. */
function listFields({ preferred_name, pronouns, city, language, tone, goals }: UserContext): Profile {
  const fields = Object.entries({ preferred_name, pronouns, city, language, tone, goals });
  return Object.fromEntries(fields.filter(([, value]) => value !== null && value.length > 0)) as Profile;
}

/** Of a key that may not see the category of the profile. */
function noProfile(error: unknown): Profile {
  if (error instanceof PermissionError) return {};
  throw error;
}

/** The first line of a header names a revision. */
function listChanges(header: string | null): string[] {
  const [, ...lines] = (header ?? '').split('\n');
  return lines.map((line) => line.replace(/^- /, ''));
}

/** Of a thread in which nothing was remembered yet. */
function noChanges(error: unknown): string[] {
  if (error instanceof NotFoundError) return [];
  throw error;
}

function renderContext({ profile, memories, changes, revision }: ContextOutput): string {
  const fields = Object.entries(profile).map(([name, value]) => `${name}: ${[value].flat().join('; ')}`);
  const sections = [
    renderList('Profile:', fields),
    renderList(
      'Memories:',
      memories.map(({ text }) => text),
    ),
    renderList('Changes:', changes),
  ].filter((lines) => lines.length > 0);
  if (sections.length === 0) return 'Nothing is known about the user yet.';
  const current = revision === undefined ? [] : [`Revision: ${revision}`];
  return [...sections.map((lines) => lines.join('\n')), ...current].join('\n\n');
}
