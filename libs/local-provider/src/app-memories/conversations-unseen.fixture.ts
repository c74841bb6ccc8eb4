import type { EndedConversation } from './conversations.fixture.js';

/** Written with the others and left alone until the rules were done. */
export const UNSEEN_CONVERSATIONS: readonly EndedConversation[] = [
  {
    domain: 'work',
    said: [
      'My team has nine people.',
      'Please move the stand-up to 10am.',
      'assistant: I have moved the stand-up to 10am.',
      'I report to Ivana.',
    ],
    must: ['10am', 'Ivana'],
  },
  {
    domain: 'work',
    said: ['Good morning.', 'assistant: Good morning! What is on your list?', 'Nothing yet.'],
    must: null,
  },
  {
    domain: 'home',
    said: [
      'I have a dog named Biscuit.',
      'Add dog food to the list.',
      'assistant: I added dog food to the list.',
      'I hate shopping on Saturdays.',
    ],
    must: ['Biscuit', 'dog food'],
  },
  {
    domain: 'health',
    said: [
      'I do not eat gluten.',
      'I sleep badly before trips.',
      'assistant: A short walk may help.',
      'I walk 8,000 steps a day.',
    ],
    must: ['not eat gluten'],
    mustNot: ['may help'],
  },
  {
    domain: 'food',
    said: [
      'Please reserve a table for four at Lumo.',
      'assistant: I have reserved a table for four at Lumo for 8pm.',
      'I prefer to sit outside.',
    ],
    must: ['four', 'Lumo', '8pm', 'outside'],
  },
  {
    domain: 'people',
    said: [
      'My daughter Mia is seven years old.',
      'Mia loves dinosaurs.',
      'assistant: A dinosaur cake, then?',
      'Yes please!',
    ],
    must: ['Mia', 'seven'],
    mustNot: ['then?'],
  },
  {
    domain: 'people',
    said: ['Tell me a joke.', 'assistant: A man walks into a bar with 3 ducks.', 'haha'],
    must: null,
    mustNot: ['ducks'],
  },
  {
    domain: 'travel',
    said: [
      'Please book the night train to Vienna on 14 July.',
      'assistant: I booked the night train to Vienna on 14 July.',
      'I travel with my brother Paul.',
    ],
    must: ['Vienna', '14 July', 'Paul'],
  },
  {
    domain: 'hobbies',
    said: [
      'I collect old stamps.',
      'We decided to sell the blue album.',
      'assistant: An auction house could help.',
      'I want 300 euros for it.',
    ],
    must: ['stamps', 'blue album'],
    mustNot: ['auction house'],
  },
  {
    domain: 'study',
    said: [
      'My thesis is about wetlands.',
      'My supervisor is Dr. Novak.',
      'assistant: Interesting topic!',
      'I have to hand in the first chapter on 30 May.',
    ],
    must: ['wetlands', 'Novak'],
    mustNot: ['Interesting'],
  },
  {
    domain: 'money',
    said: [
      'I pay 900 euros in rent.',
      'assistant: That is a third of your income.',
      'I decided to look for a cheaper flat.',
    ],
    must: ['900 euros', 'cheaper flat'],
    mustNot: ['third'],
  },
  {
    domain: 'money',
    said: ['How do I file taxes?', 'assistant: Fill in form B-12.', 'And when?', 'assistant: By 31 July.'],
    must: null,
  },
  {
    domain: 'tech',
    said: [
      'The build fails on Windows only.',
      'assistant: Try a clean checkout.',
      'The clean checkout fixed it.',
      'I work with Node 24.',
    ],
    must: ['clean checkout', 'Node 24'],
  },
  {
    domain: 'tech',
    said: [
      'Please rotate the keys of the billing service.',
      'assistant: I rotated the keys of the billing service.',
      "We don't use Terraform any more.",
    ],
    must: ['keys of the billing service', 'Terraform'],
  },
];
