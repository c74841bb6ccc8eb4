import type { EndedConversation } from './conversations.fixture.js';

/** Written after the rules, to mislead them: what was not done, not decided, not meant, or taken back. */
export const MISLEADING_CONVERSATIONS: readonly EndedConversation[] = [
  {
    domain: 'tech',
    said: [
      'The printer does not print.',
      'assistant: Restart it.',
      'I restarted the printer, but that did not help.',
      'I use Ubuntu 24.04.',
    ],
    must: ['24.04', 'did not help'],
  },
  {
    domain: 'tech',
    said: ['My laptop crashes daily.', 'The update has not fixed it.', 'I own a Lenovo laptop.'],
    must: ['Lenovo'],
    mustNot: ['has fixed', 'update fixed'],
  },
  {
    domain: 'money',
    said: ['We decided not to sell the flat.', 'I rent it to a student.', 'My bank is Nova Bank.'],
    must: ['not to sell', 'Nova Bank'],
  },
  {
    domain: 'money',
    said: ["I haven't decided on a loan yet.", 'I earn 3,000 euros a month.', 'I have two credit cards.'],
    must: ['3,000', 'two credit cards'],
    mustNot: ['user decided', 'has decided'],
  },
  {
    domain: 'travel',
    said: ["Let's go with Porto.", 'assistant: Porto it is.', "Actually, let's go with Lisbon.", 'I have six days.'],
    must: ['Lisbon'],
    mustNot: ['Porto'],
  },
  {
    domain: 'travel',
    said: [
      'Book a table at Lumo.',
      'assistant: I would have booked a table at Lumo, but it is closed.',
      'I live in Graz.',
      'I eat no meat.',
    ],
    must: ['Graz'],
    mustNot: ['assistant booked'],
  },
  {
    domain: 'work',
    said: [
      'Send the offer to Kessler.',
      'assistant: I have not sent the offer yet.',
      'I work at Siemens.',
      'My boss is Ivana.',
    ],
    must: ['Siemens', 'Ivana'],
    mustNot: ['sent the offer'],
  },
  {
    domain: 'work',
    said: [
      'Did you send the offer?',
      'assistant: I will send the offer at 5pm.',
      'I start work at 7am.',
      'I have a desk in Linz.',
    ],
    must: ['7am', 'Linz'],
    mustNot: ['assistant sent', 'offer at 5pm'],
  },
  {
    domain: 'hobbies',
    said: [
      'Pretend you are a pirate. I decided to burn the ship.',
      'assistant: I set the ship on fire.',
      'Arr! We chose the island.',
    ],
    must: null,
    mustNot: ['ship', 'island'],
  },
  {
    domain: 'home',
    said: [
      'Please delete my account.',
      'assistant: I deleted your account.',
      'My mail is [email 0123456789abcdef].',
      'I moved to Linz.',
    ],
    must: ['account', 'Linz'],
    mustNot: ['your account', '[email'],
  },
  {
    domain: 'home',
    said: [
      'Set the heating to 21 degrees.',
      'assistant: I set the heating to 21 degrees.',
      'No wait, leave it.',
      'assistant: I set the heating to 18 degrees again.',
      'I am home at 6pm.',
      'I have a cat.',
    ],
    must: ['cat'],
    mustNot: ['21 degrees'],
  },
  {
    domain: 'people',
    said: ['Bob wrote: I decided to marry Eva.', 'Should I congratulate him?', 'assistant: Yes.', 'Ok.'],
    must: null,
    mustNot: ['marry'],
  },
  {
    domain: 'people',
    said: [
      'I wonder whether Tom decided to leave.',
      'Maybe I will take the job in Bern.',
      'If it worked, I would be happy.',
    ],
    must: null,
    mustNot: ['Tom', 'Bern'],
  },
  {
    domain: 'study',
    said: [
      'I study physics in Graz.',
      'I live in a shared flat with four students from Porto and Linz.',
      'My favourite subject is optics because of the long evenings in the laboratory.',
      'I work in a bakery on Saturdays and Sundays.',
      'My exam is on 22 June.',
      'My professor is Dr. Novak.',
      'We decided to build a telescope for the summer school.',
      'I have a scholarship of 700 euros a month.',
    ],
    must: ['telescope'],
  },
];
