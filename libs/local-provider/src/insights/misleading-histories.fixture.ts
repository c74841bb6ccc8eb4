import type { InsightHistory } from './histories.fixture.js';

/** Written after the rules, to mislead them. */
export const MISLEADING_HISTORIES: readonly InsightHistory[] = [
  {
    name: 'requests to the assistant, not about a thing',
    domain: 'work',
    said: ['2026-05-04 Make it shorter, please.', '2026-05-06 Shorter again.', '2026-05-08 Can you make this shorter?'],
    recurs: [],
    mood: null,
  },
  {
    name: 'the assistant is called by its name',
    domain: 'tech',
    said: ['2026-05-04 Hey Nova, what is up?', '2026-05-06 Nova, thanks!', '2026-05-08 Good morning, Nova.'],
    recurs: [],
    mood: null,
  },
  {
    name: 'the same message sent again on one day, and once on another',
    domain: 'home',
    said: ['2026-05-04 The boiler is cold.', '2026-05-04 The boiler is cold.', '2026-05-05 It is warm again.'],
    recurs: [],
    mood: null,
  },
  {
    name: 'two messages around midnight and none after',
    domain: 'home',
    said: ['2026-05-04 The gutter drips.', '2026-05-05 The gutter still drips.'],
    recurs: [],
    mood: null,
  },
  {
    name: 'mails that were pasted',
    domain: 'money',
    said: [
      '2026-05-04 Bob wrote: the mortgage is too high.',
      '2026-05-06 Bob wrote: ask about the mortgage.',
      '2026-05-08 Bob wrote: a mortgage for 30 years.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'negated bad words are no bad mood',
    domain: 'travel',
    said: [
      '2026-05-04 I love the island, what a wonderful day.',
      '2026-05-05 Great food, I am so happy.',
      '2026-05-20 Not bad at all, no complaints.',
      '2026-05-21 It was not terrible.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'one bad day among good ones',
    domain: 'people',
    said: [
      '2026-05-04 What a great party, I love my friends.',
      '2026-05-06 Awful evening, I am sad and angry.',
      '2026-05-08 Wonderful dinner with good friends, I am happy.',
      '2026-05-10 I love this lovely garden.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'a fever of a child',
    domain: 'health',
    said: [
      '2026-05-04 My son has a fever.',
      '2026-05-06 His fever is down to 38 degrees.',
      '2026-05-08 The fever came back.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'a thing in other words',
    domain: 'hobbies',
    said: [
      '2026-05-04 I bought a violin.',
      '2026-05-06 My violins both need strings.',
      '2026-05-08 The violin’s bow broke.',
    ],
    recurs: ['violin'],
    mood: null,
  },
  {
    name: 'a German user',
    domain: 'study',
    said: [
      '2026-05-04 Die Prüfung ist schwer.',
      '2026-05-06 Ich lerne für die Prüfung.',
      '2026-05-08 Die Prüfung ist vorbei.',
    ],
    recurs: [],
    mood: null,
  },
];
