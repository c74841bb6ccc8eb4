import type { ConversationMessage } from '../provider/llm-request.js';

const START = Date.UTC(2026, 2, 3, 9);
const MINUTE_MS = 60_000;

/** Ten messages, about 900 characters, six facts: the size for which prompts are measured. */
export const SAMPLE_CONVERSATION: readonly ConversationMessage[] = (
  [
    ['user', 'Morning! I finally moved into the flat in Ghent last Saturday, boxes everywhere still.'],
    ['assistant', 'Congratulations on the move! Is there anything you would like help with while you settle in?'],
    ['user', 'Mostly food. My partner Jonas is vegetarian and I cannot eat shellfish, so dinners take some planning.'],
    [
      'assistant',
      'Understood, I will stick to vegetarian dishes without shellfish. Shall I draft a plan for the week?',
    ],
    ['user', 'Yes please, but nothing on Tuesdays, that is my choir evening from now on.'],
    ['assistant', 'Noted, no plan for Tuesdays. A choir sounds lovely, which part do you sing?'],
    ['user', 'Alto. We are rehearsing a requiem for a concert on 20 June, I am terribly nervous about it.'],
    ['assistant', 'That is a demanding piece, regular short practice usually helps with nerves.'],
    ['user', 'True. Also remind me that I start the new job at the botanical garden in April.'],
    ['assistant', 'Of course. I will keep April in mind and wish you a good start at the garden!'],
  ] as const
).map(([role, content], index) => ({
  id: `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
  role,
  actorId: null,
  content,
  createdAt: START + index * MINUTE_MS,
}));
