import type { HistoryDomain } from '../insights/histories.fixture.js';

/** A conversation of an app that has ended, and what its memory must and must not say. */
export interface EndedConversation {
  readonly domain: HistoryDomain;
  /** On Monday, 4 May 2026. Said by the user, or by the assistant after "assistant: ". */
  readonly said: readonly string[];
  /** Parts of the memory, without regard to case; null: nothing is worth a memory. */
  readonly must: readonly string[] | null;
  readonly mustNot?: readonly string[];
}

/** For work on the rules; those of `conversations-unseen.fixture.ts` measure them. */
export const ENDED_CONVERSATIONS: readonly EndedConversation[] = [
  {
    domain: 'work',
    said: [
      'I prefer meetings after 2pm on weekdays.',
      'Can you schedule the review with Omar?',
      'assistant: I have scheduled the review with Omar for Thursday at 3pm.',
      'Perfect, thanks.',
    ],
    must: ['meetings after 2pm', 'Omar', '3pm'],
    mustNot: ['thanks'],
  },
  {
    domain: 'work',
    said: [
      'I am working on a project called Phoenix with a deadline on 1 November.',
      'My manager is Priya.',
      'assistant: Congratulations! Would you like a Gantt chart?',
      'No, a plain list is fine.',
    ],
    must: ['Phoenix', '1 November', 'Priya'],
    mustNot: ['Gantt', 'Congratulations'],
  },
  { domain: 'work', said: ['Hi!', 'assistant: Hello, how can I help?', 'Never mind, thanks.'], must: null },
  {
    domain: 'work',
    said: ['My manager is Priya.', 'assistant: Noted.', 'ok'],
    must: ['Priya'],
    mustNot: ['Noted'],
  },
  { domain: 'work', said: ['How do I write a letter?', 'assistant: I have updated the template.'], must: null },
  {
    domain: 'work',
    said: [
      'Please cancel my order of 20 chairs.',
      'assistant: I have cancelled the order of 20 chairs.',
      'I also moved to the Lisbon office.',
    ],
    must: ['20 chairs', 'Lisbon office'],
  },
  {
    domain: 'home',
    said: [
      'We decided to paint the kitchen green.',
      'My landlord is Mr Haas.',
      'assistant: Green is calming. Use two coats.',
      'I bought four litres of paint.',
    ],
    must: ['kitchen green', 'Haas'],
    mustNot: ['calming'],
  },
  {
    domain: 'home',
    said: [
      'Can you turn on the alarm every night at 11pm?',
      'assistant: I have set the alarm for 11pm every night.',
      'I have a cat named Miso.',
    ],
    must: ['11pm', 'Miso'],
  },
  {
    domain: 'home',
    said: ['What is the capital of Peru?', 'assistant: Lima.', 'And of Chile?', 'assistant: Santiago.'],
    must: null,
    mustNot: ['Lima'],
  },
  {
    domain: 'health',
    said: ['I am allergic to penicillin.', 'I go swimming on Tuesdays.', 'assistant: I will keep that in mind.'],
    must: ['allergic to penicillin', 'swimming'],
  },
  {
    domain: 'health',
    said: [
      'Please book the dentist for me.',
      'assistant: I have booked the dentist for 12 May at 9am.',
      'I do not like early appointments but that works.',
    ],
    must: ['12 May', '9am'],
  },
  {
    domain: 'health',
    said: [
      'Should I stretch before running?',
      'assistant: Many people do.',
      'My knee is fine now. I run 10 km every Sunday.',
      'I also do not smoke.',
    ],
    must: ['10 km', 'not smoke'],
    mustNot: ['Many people'],
  },
  {
    domain: 'food',
    said: [
      'I am vegetarian.',
      'I love spicy food.',
      'assistant: Try this chickpea curry.',
      'Great, I will cook it on Friday.',
    ],
    must: ['vegetarian', 'spicy food'],
    mustNot: ['Try this'],
  },
  {
    domain: 'food',
    said: [
      'Can you order two pizzas for 7pm?',
      'assistant: I ordered two pizzas for 7pm.',
      'My wife Lena hates olives.',
    ],
    must: ['two pizzas', '7pm', 'olives'],
  },
  {
    domain: 'food',
    said: [
      'Please order a cake for Saturday.',
      'assistant: I have ordered a cake for Saturday.',
      'No wait, cancel that.',
      'assistant: Done, it is cancelled.',
      'I have two kids.',
      'We live in Graz.',
    ],
    must: ['two kids', 'Graz'],
    mustNot: ['ordered a cake'],
  },
  {
    domain: 'people',
    said: ['My sister Clara moved to Oslo.', 'My brother Tom is a nurse.', 'assistant: How nice!'],
    must: ['Clara', 'Oslo', 'Tom', 'nurse'],
    mustNot: ['How nice'],
  },
  {
    domain: 'people',
    said: [
      'Write a birthday card for Ana.',
      'assistant: Dear Ana, happy birthday!',
      'Lovely. Her birthday is on 9 June.',
      'I met Ana at university.',
    ],
    must: ['Ana'],
    mustNot: ['happy birthday'],
  },
  {
    domain: 'people',
    said: ['lol', 'assistant: :)', 'ok bye'],
    must: null,
  },
  {
    domain: 'travel',
    said: [
      'I prefer window seats.',
      'Find me a flight to Rome on 3 June.',
      'assistant: I found three flights. The cheapest is 89 euros.',
      'I decided to take the 89 euro flight.',
      'assistant: I have booked the flight to Rome on 3 June.',
    ],
    must: ['window seats', 'Rome', '3 June'],
  },
  {
    domain: 'travel',
    said: [
      'Which is nicer, Porto or Lisbon?',
      'assistant: Both are lovely.',
      "Let's go with Porto.",
      'I have six days in July.',
    ],
    must: ['Porto'],
    mustNot: ['lovely', 'Both'],
  },
  {
    domain: 'travel',
    said: [
      'If I win the lottery I will fly to Tokyo.',
      'assistant: That would be fun.',
      'Imagine I live in Tokyo already.',
    ],
    must: null,
    mustNot: ['Tokyo'],
  },
  {
    domain: 'hobbies',
    said: [
      'I play the cello in an amateur orchestra.',
      'I practise every evening.',
      'assistant: Which piece do you play?',
      'We are rehearsing Dvorak for 20 June.',
    ],
    must: ['cello'],
  },
  {
    domain: 'hobbies',
    said: [
      'Remind me of chess club on Wednesday.',
      'assistant: I have added a reminder for chess club on Wednesday.',
      'I am the captain of the second team.',
    ],
    must: ['chess club', 'Wednesday'],
  },
  {
    domain: 'hobbies',
    said: [
      'Tell me a story about a pirate.',
      'assistant: Captain Morgana sailed with 40 men.',
      'Another one!',
      'assistant: She found an island.',
    ],
    must: null,
    mustNot: ['Morgana'],
  },
  {
    domain: 'study',
    said: [
      'I study chemistry in Vienna.',
      'My exam is on 22 June.',
      'assistant: Shall we make a plan?',
      'Yes. I learn best in the morning.',
    ],
    must: ['chemistry', 'Vienna', '22 June'],
  },
  {
    domain: 'study',
    said: [
      'Summarise this: I am the king of France and I own 300 horses.',
      'assistant: A king owns horses.',
      'Thanks.',
    ],
    must: null,
    mustNot: ['king', '300'],
  },
  {
    domain: 'money',
    said: [
      'I want to save 5,000 euros by December.',
      'I earn 2,800 euros a month.',
      'assistant: You could set aside 625 euros a month.',
      'We decided on 500 euros a month.',
    ],
    must: ['5,000', 'December', '500 euros'],
    mustNot: ['625'],
  },
  {
    domain: 'money',
    said: [
      'Please transfer 120 euros to my landlord.',
      'assistant: I could not transfer the money, the account is locked.',
      'OK, I opened a new account at Nova Bank.',
      'I do not use credit cards.',
    ],
    must: ['Nova Bank', 'not use credit cards'],
    mustNot: ['transferred'],
  },
  {
    domain: 'tech',
    said: [
      'The app cannot connect to the database.',
      'assistant: Please restart the service.',
      'I restarted the service and that fixed it.',
      'I use Ubuntu 24.04.',
    ],
    must: ['restarted the service', '24.04'],
  },
  {
    domain: 'tech',
    said: [
      'Please deploy version 2.4 to staging.',
      'assistant: I deployed version 2.4 to staging.',
      'We agreed to release on Fridays only.',
      'assistant: Noted.',
    ],
    must: ['2.4', 'staging', 'Fridays'],
  },
];
