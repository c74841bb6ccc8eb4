import type { PostConversation } from '@annals/contracts';
import { pickWord, PLACES, THINGS, VERBS } from './words.ts';
import type { Rng } from '@annals/domain';

const MESSAGES = 10;
/** Statements of the user; the stub model extracts one memory from each. */
export const FACTS = 6;
const USER_TURNS = new Set([0, 2, 4, 5, 7, 9]);
const REPLIES = [
  'That sounds good. Tell me a little more about how it began and what you liked about it.',
  'I see, thank you for telling me. Shall I keep that in mind for the next time we talk?',
  'Noted. Is there anything else that you would like to plan for the coming weeks or months?',
  'Good to know! I will remember it and come back to it when it may be of use to you.',
];

/** A conversation of 10 messages, about 900 characters and 6 facts; no two are the same. */
export function createConversation(rng: Rng, index: number, users: number): PostConversation {
  let replies = 0;
  return {
    user_id: `user-${index % users}`,
    flush: false,
    end: false,
    priority: 'interactive',
    messages: Array.from({ length: MESSAGES }, (_, turn) => {
      const isUser = USER_TURNS.has(turn);
      return {
        id: `m${turn}`,
        role: isUser ? ('user' as const) : ('assistant' as const),
        content: isUser ? createFact(rng, index, turn) : REPLIES[replies++ % REPLIES.length]!,
      };
    }),
  };
}

function createFact(rng: Rng, index: number, turn: number): string {
  const [verb, thing, place] = [VERBS, THINGS, PLACES].map((words) => pickWord(rng, words));
  return `I ${verb} ${thing} number ${index * MESSAGES + turn} in ${place} together with my sister this year.`;
}
