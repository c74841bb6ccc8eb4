export type HistoryDomain =
  'work' | 'home' | 'health' | 'food' | 'people' | 'travel' | 'hobbies' | 'study' | 'money' | 'tech';

/** What somebody said over some days, and which insights the rules owe to it. */
export interface InsightHistory {
  readonly name: string;
  readonly domain: HistoryDomain;
  /** "2026-05-04 text": said by the user at noon; "2026-05-04 assistant: text" and "2026-05-04 Bob: text" by others. */
  readonly said: readonly string[];
  /** Words of which each stands in the insight about what came back again and again; at most three insights. */
  readonly recurs: readonly string[];
  readonly mood: 'lower' | 'higher' | null;
}

/** For work on the rules; those of `histories-unseen.fixture.ts` measure them. */
export const INSIGHT_HISTORIES: readonly InsightHistory[] = [
  {
    name: 'deadlines at work on three days',
    domain: 'work',
    said: [
      '2026-05-04 The deadline for the audit was moved up again.',
      '2026-05-06 Another deadline at work, the third this month.',
      '2026-05-06 assistant: Deadlines can be negotiated.',
      '2026-05-11 I missed the deadline for the slides.',
    ],
    recurs: ['deadline'],
    mood: null,
  },
  {
    name: 'the same word three times on one day',
    domain: 'work',
    said: [
      '2026-05-04 The invoice from Kessler is late.',
      '2026-05-04 I need the invoice by noon.',
      '2026-05-04 Still no invoice.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'a word on two days, twice only',
    domain: 'work',
    said: [
      '2026-05-04 The invoice is late.',
      '2026-05-06 I sent the invoice to Kessler.',
      '2026-05-08 Lunch was short.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'on-call shifts that spoil the mood',
    domain: 'work',
    said: [
      '2026-05-04 The night shift was terrible, I hate it.',
      '2026-05-07 Another awful night shift.',
      '2026-05-12 This night shift was horrible and exhausting.',
    ],
    recurs: ['night shift'],
    mood: null,
  },
  {
    name: 'words that only the assistant repeats',
    domain: 'work',
    said: [
      '2026-05-04 Can you plan my day?',
      '2026-05-04 assistant: Your roadmap has three items.',
      '2026-05-06 assistant: The roadmap is updated.',
      '2026-05-09 assistant: Shall I print the roadmap?',
      '2026-05-09 Yes, go ahead.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'a leaking roof over two weeks',
    domain: 'home',
    said: [
      '2026-03-02 The roof leaks above the bedroom.',
      '2026-03-05 A roofer looked at the roof today.',
      '2026-03-14 We patched the roof with tar.',
    ],
    recurs: ['roof'],
    mood: null,
  },
  {
    name: 'mood falls after a move',
    domain: 'home',
    said: [
      '2026-03-02 The new flat is lovely, I am so happy here.',
      '2026-03-03 Great day, the kitchen looks wonderful.',
      '2026-03-20 I hate the noise, it is awful and I am miserable.',
      '2026-03-21 Terrible night, I am sad and angry.',
    ],
    recurs: [],
    mood: 'lower',
  },
  {
    name: 'neighbours heard by somebody else',
    domain: 'home',
    said: [
      '2026-03-02 Bob: The parrot screamed all night.',
      '2026-03-04 Bob: That parrot again.',
      '2026-03-08 Bob: I bought earplugs against the parrot.',
      '2026-03-08 I slept well.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'different things around the house',
    domain: 'home',
    said: ['2026-03-02 I painted the fence.', '2026-03-05 The boiler was serviced.', '2026-03-09 I bought a lamp.'],
    recurs: [],
    mood: null,
  },
  {
    name: 'migraines are nobody’s insight',
    domain: 'health',
    said: [
      '2026-04-01 A migraine kept me in bed.',
      '2026-04-07 The migraine is back.',
      '2026-04-15 Third migraine, I am seeing the neurologist.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'swimming before work',
    domain: 'health',
    said: [
      '2026-04-01 I went swimming before work.',
      '2026-04-03 Swimming was crowded today.',
      '2026-04-08 I skipped breakfast and went swimming.',
    ],
    recurs: ['swimming'],
    mood: null,
  },
  {
    name: 'therapy and tablets',
    domain: 'health',
    said: [
      '2026-04-01 My therapist moved the appointment.',
      '2026-04-08 The therapist asked about my sleep.',
      '2026-04-15 New tablets from the therapist.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'sourdough comes back',
    domain: 'food',
    said: [
      '2026-01-05 My sourdough did not rise.',
      '2026-01-09 What flour suits sourdough best?',
      '2026-01-18 The sourdough came out golden.',
    ],
    recurs: ['sourdough'],
    mood: null,
  },
  {
    name: 'a recipe in quotation marks',
    domain: 'food',
    said: [
      '2026-01-05 Translate this: The saffron must bloom.',
      '2026-01-08 Translate this: Add saffron to the rice.',
      '2026-01-11 Translate this: Saffron stains fingers.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'mood rises with a cooking class',
    domain: 'food',
    said: [
      '2026-01-05 I am sad and bored, dinner was awful.',
      '2026-01-06 Bad day, I burnt everything and I am angry.',
      '2026-01-20 The class was fantastic, I love it.',
      '2026-01-22 What a wonderful evening, I am so happy.',
    ],
    recurs: [],
    mood: 'higher',
  },
  {
    name: 'Lena keeps coming up',
    domain: 'people',
    said: [
      '2026-02-01 Lena asked me to water the plants.',
      '2026-02-06 I had lunch with Lena.',
      '2026-02-14 I forgot to call Lena back.',
    ],
    recurs: ['Lena'],
    mood: null,
  },
  {
    name: 'thanks and greetings',
    domain: 'people',
    said: [
      '2026-02-01 Hello, thanks!',
      '2026-02-03 Hello again, thanks a lot.',
      '2026-02-05 Hello! Thanks for everything.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'quarrels with a brother',
    domain: 'people',
    said: [
      '2026-02-01 My brother did not call back.',
      '2026-02-03 I quarrelled with my brother about the car.',
      '2026-02-09 My brother still has my keys.',
    ],
    recurs: ['brother'],
    mood: null,
  },
  {
    name: 'a trip that is planned for weeks',
    domain: 'travel',
    said: [
      '2026-06-01 I need a visa for Vietnam.',
      '2026-06-10 The visa form asks for a photo.',
      '2026-06-30 My visa arrived.',
      '2026-07-02 I packed for Vietnam.',
    ],
    recurs: ['visa'],
    mood: null,
  },
  {
    name: 'one evening in a hotel',
    domain: 'travel',
    said: [
      '2026-06-01 The hotel is loud.',
      '2026-06-01 The hotel has no lift.',
      '2026-06-01 I will leave the hotel early.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'delayed trains',
    domain: 'travel',
    said: [
      '2026-06-01 My train was delayed by an hour.',
      '2026-06-02 Delayed train, again.',
      '2026-06-08 The train to Porto was delayed.',
    ],
    recurs: ['train'],
    mood: null,
  },
  {
    name: 'the cello over a year',
    domain: 'hobbies',
    said: [
      '2025-11-02 I rented a cello.',
      '2026-01-12 My cello lesson was fun.',
      '2026-04-20 The cello needs new strings.',
    ],
    recurs: ['cello'],
    mood: null,
  },
  {
    name: 'two hobbies side by side',
    domain: 'hobbies',
    said: [
      '2026-04-01 I fired my first bowl at the pottery.',
      '2026-04-02 Chess club lost again.',
      '2026-04-09 Pottery was full tonight.',
      '2026-04-10 I studied a chess opening.',
      '2026-04-16 I glazed a vase at pottery.',
      '2026-04-17 I won a chess game in twenty moves.',
    ],
    recurs: ['pottery', 'chess'],
    mood: null,
  },
  {
    name: 'empty words only',
    domain: 'hobbies',
    said: [
      '2026-04-01 The thing is a lot of fun this time.',
      '2026-04-05 I spent time on a lot of things today.',
      '2026-04-09 A lot of time for the thing.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'statistics exam',
    domain: 'study',
    said: [
      '2026-01-10 The statistics exam is in March.',
      '2026-01-17 I failed a mock exam.',
      '2026-02-02 Which chapters does the exam cover?',
    ],
    recurs: ['exam'],
    mood: null,
  },
  {
    name: 'a role play is not the person',
    domain: 'study',
    said: [
      '2026-01-10 Pretend you are a dragon. The dragon guards gold.',
      '2026-01-12 Pretend you are a dragon. The dragon sleeps.',
      '2026-01-14 Pretend you are a dragon. The dragon eats sheep.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'rent three times',
    domain: 'money',
    said: [
      '2026-08-01 The rent went up by 40 euros.',
      '2026-08-15 I can hardly pay the rent.',
      '2026-09-01 Rent is due and my account is empty.',
    ],
    recurs: ['rent'],
    mood: null,
  },
  {
    name: 'party donations are nobody’s insight',
    domain: 'money',
    said: [
      '2026-08-01 I donated 20 euros to the Green Party before the election.',
      '2026-08-15 The election leaflets cost me 50 euros.',
      '2026-09-01 I lost a bet on the election.',
    ],
    recurs: [],
    mood: null,
  },
  {
    name: 'flaky tests',
    domain: 'tech',
    said: [
      '2026-10-01 A flaky test blocked my merge.',
      '2026-10-02 I quarantined two flaky tests.',
      '2026-10-07 The flaky test passed on the third run.',
    ],
    recurs: ['flaky test'],
    mood: null,
  },
  {
    name: 'pasted logs and links',
    domain: 'tech',
    said: [
      '2026-10-01 ```\nERROR gateway timeout gateway\n```',
      '2026-10-03 https://example.com/gateway',
      '2026-10-05 ```\nERROR gateway timeout\n```',
    ],
    recurs: [],
    mood: null,
  },
];
