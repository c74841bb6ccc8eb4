import type { PostConversation } from '@annals/sdk';

/** What the sample conversation says. Each time it is loaded under an id of its own, the memories stay the same. */
export const SAMPLE: PostConversation = {
  user_id: 'sample-noor',
  thread_id: 'sample',
  flush: true,
  messages: [
    { id: 's1', role: 'user', content: 'Hi! I live in Lisbon and I work as a marine biologist.' },
    { id: 's2', role: 'assistant', content: 'Nice to meet you. What are you planning?' },
    {
      id: 's3',
      role: 'user',
      content: 'My sister Ines is visiting next week. She is vegetarian, and I am allergic to peanuts.',
    },
    { id: 's4', role: 'user', content: 'I love small family restaurants, but I hate loud music.' },
    { id: 's5', role: 'assistant', content: 'I will look for a quiet place.' },
    { id: 's6', role: 'user', content: 'Thanks. By the way, I moved to Porto in October.' },
  ],
};
