import { routes } from '@annals/contracts';
import { z } from 'zod';
import { RefusedCall, type RestCalls } from '../rest-calls.js';
import { defineTool, type ToolContext } from './define-tool.js';
import { dayOf, threadOfDay } from './mcp-thread.js';
import { budgetTokensSchema, listRecalled, recalledSchema } from './shared-fields.js';

const DAY_MS = 86_400_000;
/** Days whose changes are listed. Older ones say less than the memories themselves. */
const MAX_DAYS = 7;

const REVISION = /^(\d{4}-\d{2}-\d{2})\.(\d{1,15})$/;
const isRevision = (text: string) => REVISION.test(text) && !Number.isNaN(Date.parse(text.slice(0, 10)));

export const memoryContext = defineTool({
  name: 'memory_context',
  title: 'Context about the user',
  description: 'Who the user is and what matters most about them; with since_rev also what changed since then.',
  use: 'At the start of a conversation, call memory_context.',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  routes: [routes.queryMemory, routes.getThreadDelta],
  input: z.strictObject({
    since_rev: z
      .string()
      .refine(isRevision, { error: 'Send the revision of an earlier answer as it was.' })
      .optional()
      .describe('revision of an earlier answer'),
    budget_tokens: budgetTokensSchema,
  }),
  output: z.object({
    profile: z.looseObject({}),
    memories: recalledSchema,
    changes: z.array(z.string()),
    revision: z.string(),
  }),
  async run({ since_rev, budget_tokens }, context) {
    const { userId, rest, now } = context;
    const today = dayOf(now);
    // Before the changes: what is written in between is then told twice rather than never.
    const answer = await rest.send(routes.queryMemory, {
      body: { filters: { user_id: userId }, thread_id: threadOfDay(today), budget_tokens },
    });
    const profile = await readProfile(rest, userId);
    const memories = listRecalled(answer);
    const changes = since_rev === undefined ? [] : await listChanges(since_rev, context);
    return {
      text: renderContext(profile, memories, changes),
      structured: { profile, memories, changes, revision: `${today}.${answer.revision}` },
    };
  },
});

type Profile = Record<string, string | readonly string[]>;

/** The fields that have a value; none for a key that may not see the category of the profile. */
async function readProfile(rest: RestCalls, userId: string): Promise<Profile> {
  try {
    const { preferred_name, pronouns, city, language, tone, goals } = await rest.send(routes.getUserContext, {
      params: { user_id: userId },
    });
    const fields = Object.entries({ preferred_name, pronouns, city, language, tone, goals });
    return Object.fromEntries(fields.filter(([, value]) => value !== null && value.length > 0)) as Profile;
  } catch (error) {
    if (error instanceof RefusedCall && error.problem.code === 'forbidden_category') return {};
    throw error;
  }
}

/** What changed in the threads of the days since a revision, one line each. */
async function listChanges(sinceRev: string, { userId, rest, now }: ToolContext): Promise<string[]> {
  const [, firstDay, revision] = REVISION.exec(sinceRev)!;
  const first = Date.parse(firstDay!);
  if (first <= now - MAX_DAYS * DAY_MS)
    return [`since_rev is more than ${MAX_DAYS} days old, so changes are not listed.`];
  const lines: string[] = [];
  for (let start = first; start <= now; start += DAY_MS) {
    const since = start === first ? Number(revision) : 0;
    const header = await readHeader(rest, userId, threadOfDay(dayOf(start)), since);
    // Its first line names a revision of the thread.
    lines.push(...header.split('\n').slice(1));
  }
  return lines.map((line) => line.replace(/^- /, ''));
}

/** Empty when nothing changed, also when nothing was remembered on the day of the thread. */
async function readHeader(rest: RestCalls, userId: string, threadId: string, since: number): Promise<string> {
  try {
    const { header } = await rest.send(routes.getThreadDelta, {
      params: { thread_id: threadId },
      query: { user_id: userId, since, limit: 1 },
    });
    return header ?? '';
  } catch (error) {
    if (error instanceof RefusedCall && error.problem.code === 'not_found') return '';
    throw error;
  }
}

function renderContext(profile: Profile, memories: readonly { text: string }[], changes: readonly string[]): string {
  const sections: [title: string, lines: readonly string[]][] = [
    ['Profile', Object.entries(profile).map(([name, value]) => `${name}: ${[value].flat().join('; ')}`)],
    ['Memories', memories.map(({ text }) => text)],
    ['Changes', changes],
  ];
  const rendered = sections.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : [[`${title}:`, ...lines.map((line) => `- ${line}`)].join('\n')],
  );
  return rendered.length === 0 ? 'Nothing is known about the user yet.' : rendered.join('\n\n');
}
