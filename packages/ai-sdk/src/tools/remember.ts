import { jsonSchema, type Tool, tool } from 'ai';
import { MessageIds } from '../middleware/message-ids.js';
import { defined } from '../defined.js';
import type { ToolContext } from './annals-tools.js';
import { asText } from './recalled.js';
import { threadOfDay } from './thread-of-day.js';

export interface RememberInput {
  readonly text: string;
}

export interface RememberOutput {
  readonly accepted: number;
  readonly duplicates: number;
  /** What was masked, by kind. */
  readonly redactions: Readonly<Record<string, number>>;
}

export function rememberTool({ client, user, thread, agent, now }: ToolContext): Tool<RememberInput, RememberOutput> {
  return tool({
    title: 'Remember',
    description:
      'Store what the user said about themselves, when it is lasting or they ask for it. Facts are extracted from it in the background; personal numbers and secrets are masked.',
    inputSchema: jsonSchema<RememberInput>({
      type: 'object',
      properties: {
        text: {
          type: 'string',
          minLength: 1,
          maxLength: 20_000,
          description: 'What the user said, in their words: "I am allergic to nuts."',
        },
      },
      required: ['text'],
      additionalProperties: false,
    }),
    async execute({ text }, { abortSignal }): Promise<RememberOutput> {
      const threadId = thread ?? threadOfDay(now());
      const said = { role: 'user', text } as const;
      const [id] = await new MessageIds([user, threadId, 'remember']).derive([said]);
      const { accepted, duplicates, redactions } = await client.conversations.create(
        {
          user_id: user,
          thread_id: threadId,
          ...defined({ agent_id: agent }),
          messages: [{ id: id!, role: 'user', content: text }],
          flush: true,
        },
        defined({ signal: abortSignal }),
      );
      return { accepted, duplicates, redactions };
    },
    toModelOutput: ({ output }) => asText(describeStored(output)),
  });
}

function describeStored({ accepted, redactions }: RememberOutput): string {
  if (accepted === 0) return 'This was remembered already, so nothing new was stored.';
  const masked = Object.entries(redactions).map(([kind, count]) => `${count} ${kind.toLowerCase()}`);
  return [
    'Stored. It can be recalled as it was said at once, and as facts in a moment.',
    ...(masked.length > 0 ? [`Masked before it was stored: ${masked.join(', ')}.`] : []),
  ].join(' ');
}
