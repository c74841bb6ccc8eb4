import type { InsightHistory } from './histories.fixture.js';

/** Written with the others and left alone until the rules were done. */
export const UNSEEN_HISTORIES: readonly InsightHistory[] = [
  {
    name: 'a difficult customer',
    domain: 'work',
    said: [
      '2026-05-04 The customer from Graz rejected the draft.',
      '2026-05-08 My customer wants another demo.',
      '2026-05-13 I wrote an apology to the customer.',
    ],
    recurs: ['customer'],
    mood: null,
  },
  {
    name: 'mood falls during a reorganisation',
    domain: 'work',
    said: [
      '2026-05-01 I love my team, such a great week.',
      '2026-05-02 Happy with the launch, excellent work by everyone.',
      '2026-05-25 The reorganisation is a disaster and I am furious.',
      '2026-05-27 I feel awful and worried about my job.',
    ],
    recurs: [],
    mood: 'lower',
  },
  {
    name: 'a garden fence',
    domain: 'home',
    said: [
      '2026-03-02 The fence fell over in the storm.',
      '2026-03-09 I ordered wood for the fence.',
      '2026-03-16 Half of the fence is up.',
    ],
    recurs: ['fence'],
    mood: null,
  },
  {
    name: 'insulin is nobody’s insight',
    domain: 'health',
    said: [
      '2026-04-01 I forgot my insulin at home.',
      '2026-04-05 The insulin pump beeps.',
      '2026-04-11 New insulin from the pharmacy.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'running on two days only twice',
    domain: 'health',
    said: ['2026-04-01 I ran five kilometres.', '2026-04-05 My shoes are worn out.', '2026-04-11 I ran in the rain.'],
    recurs: [],
    mood: null,
  },
  {
    name: 'espresso machine',
    domain: 'food',
    said: [
      '2026-01-05 The espresso machine drips.',
      '2026-01-09 I descaled the espresso machine.',
      '2026-01-18 A new gasket for my espresso machine.',
    ],
    recurs: ['espresso machine'],
    mood: null,
  },
  {
    name: 'a landlord who does not answer',
    domain: 'people',
    said: [
      '2026-02-01 The landlord ignores my letters.',
      '2026-02-10 I called the landlord twice.',
      '2026-02-21 Finally the landlord replied.',
    ],
    recurs: ['landlord'],
    mood: null,
  },
  {
    name: 'church on Sundays is nobody’s insight',
    domain: 'people',
    said: [
      '2026-02-01 I met Tom at church.',
      '2026-02-08 The church was cold this Sunday.',
      '2026-02-15 Church choir practice ran late.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'suitcases',
    domain: 'travel',
    said: [
      '2026-06-01 My suitcase was lost in Madrid.',
      '2026-06-03 The airline found my suitcase.',
      '2026-06-09 The wheels of the suitcase are broken.',
    ],
    recurs: ['suitcase'],
    mood: null,
  },
  {
    name: 'mood rises on a holiday',
    domain: 'travel',
    said: [
      '2026-06-01 I am tired, sad and fed up with everything.',
      '2026-06-02 Horrible flight, I hate airports.',
      '2026-06-10 The island is beautiful, I love it here.',
      '2026-06-11 Perfect day, I am so happy.',
    ],
    recurs: [],
    mood: 'higher',
  },
  {
    name: 'a telescope',
    domain: 'hobbies',
    said: [
      '2026-04-01 I set up the telescope on the balcony.',
      '2026-04-12 Saturn was clear in the telescope.',
      '2026-04-28 The telescope needs a new mount.',
    ],
    recurs: ['telescope'],
    mood: null,
  },
  {
    name: 'thesis',
    domain: 'study',
    said: [
      '2026-01-10 I rewrote the introduction of my thesis.',
      '2026-02-01 My thesis has 40 pages now.',
      '2026-03-12 The thesis is due in May.',
    ],
    recurs: ['thesis'],
    mood: null,
  },
  {
    name: 'an essay that is somebody else’s',
    domain: 'study',
    said: [
      '2026-01-10 Summarise this: Whales sing in the deep.',
      '2026-01-11 Summarise this: Whales migrate in autumn.',
      '2026-01-12 Summarise this: Whales feed on krill.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'tax return',
    domain: 'money',
    said: [
      '2026-08-01 I started my tax return.',
      '2026-08-15 The tax return needs a receipt from 2025.',
      '2026-08-30 I filed the tax return at last.',
    ],
    recurs: ['tax return'],
    mood: null,
  },
  {
    name: 'backups',
    domain: 'tech',
    said: [
      '2026-10-01 The backup failed overnight.',
      '2026-10-09 I restored a table from the backup.',
      '2026-10-15 The backup takes two hours now.',
    ],
    recurs: ['backup'],
    mood: null,
  },
];
