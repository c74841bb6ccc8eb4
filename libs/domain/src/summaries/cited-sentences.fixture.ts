import type { CitedMessage } from './read-source.js';

/** What is wrong with a sentence; `none`: it says what its messages say. */
type ExpectedFault = 'none' | 'number' | 'name' | 'date' | 'negation' | 'uncited';

export interface SentenceCase {
  readonly domain: string;
  readonly messages: readonly CitedMessage[];
  readonly sentence: string;
  /** Ids of the messages that it cites. */
  readonly cites: readonly string[];
  readonly fault: ExpectedFault;
}

type Line = readonly [speaker: string, day: string, text: string];
type Row = readonly [fault: ExpectedFault, cites: string, sentence: string];

function tell(domain: string, lines: readonly Line[], rows: readonly Row[]): SentenceCase[] {
  const messages = lines.map(([speaker, day, text], index) => {
    return { id: `m${index + 1}`, speaker, content: text, createdAt: Date.parse(`${day}T09:00:00Z`) };
  });
  return rows.map(([fault, cites, sentence]) => {
    return { domain, messages, sentence, cites: cites === '' ? [] : cites.split(' '), fault };
  });
}

const LINES: Readonly<Record<string, readonly Line[]>> = {
  work: [
    ['Ana', '2026-03-02', "We hired two designers last week, and I haven't signed the lease for the new office yet."],
    ['Ben', '2026-03-02', 'Good. The launch moves to 14 May because Priya is on leave until April.'],
    ['Ana', '2026-03-05', 'The client paid 12,500 euros and wants three more screens.'],
  ],
  home: [
    ['Tom', '2026-01-10', 'The boiler broke yesterday. The plumber from Hallway Heating comes on Monday at 8 am.'],
    ['Lea', '2026-01-10', "We don't have a spare heater. My sister Nora can lend us one."],
    ['Tom', '2026-01-13', 'It is fixed, it cost 340 pounds, and we never paid for the warranty.'],
  ],
  health: [
    [
      'Kim',
      '2026-05-04',
      'My knee hurts since the run on Saturday, so I stopped training for the Leeds half marathon.',
    ],
    ['Joe', '2026-05-04', 'Did you see Dr. Amadi? She told me not to run for six weeks.'],
    ['Kim', '2026-05-08', 'She gave me 20 mg of ibuprofen twice a day, and no injection is needed.'],
  ],
  food: [
    ['Mia', '2026-02-14', 'I made ramen for eight people tonight. Oscar does not eat pork, so I used mushrooms.'],
    ['Oscar', '2026-02-15', 'It was the best one this year! Could you send me the recipe by Friday?'],
    ['Mia', '2026-02-16', 'The broth simmers for 6 hours with 2 litres of water.'],
  ],
  people: [
    ['Ida', '2026-06-01', 'Grandma turned 90 on Sunday and all four of us went to Lisbon.'],
    ['Max', '2026-06-01', "I couldn't come, because my daughter Elif was born on 30 May."],
    ['Ida', '2026-06-02', 'Congratulations! Uncle Ravi never told us. He moved to Oslo in 2024.'],
  ],
  travel: [
    ['Zoe', '2026-07-03', 'We fly to Tokyo on 2 September and stay 11 nights.'],
    ['Sam', '2026-07-03', "I won't take the night train, I booked the hotel in Kyoto for 95 dollars a night."],
    ['Zoe', '2026-07-06', 'The visa arrived this morning, but my passport expires in November.'],
  ],
  hobbies: [
    ['Eli', '2026-04-11', 'I finished the second quilt yesterday, and the club meets every Thursday at Garner Hall.'],
    ['Uma', '2026-04-12', 'I no longer play the cello. I sold it to Pavel for 900 francs.'],
    ['Eli', '2026-04-12', 'Our choir has 32 singers now and we perform Bach in December.'],
  ],
  study: [
    ['Noa', '2026-10-05', 'I passed statistics with 87 percent but failed the chemistry exam.'],
    ['Liv', '2026-10-05', "Professor Haddad doesn't accept late essays. Mine is due in two weeks."],
    ['Noa', '2026-10-09', 'I switched to the evening course in Utrecht, it begins on 3 November.'],
  ],
  money: [
    ['Raj', '2026-08-20', 'The rent goes up to 1,150 euros from October, so I cancelled the gym.'],
    ['Amy', '2026-08-20', "I didn't sell the Novo shares. The bank offers 3.2% on savings."],
    ['Raj', '2026-08-22', 'I owe my brother Dev half of the car loan until 2028.'],
  ],
  tech: [
    ['Jan', '2026-09-14', 'The outage lasted 47 minutes, because nobody renewed the certificate for api.example.test.'],
    ['Fay', '2026-09-14', 'We upgrade to Postgres 17 next Tuesday. Redis stays on version 7.'],
    ['Jan', '2026-09-15', 'The backup job is not running on node-3, Carla restarts it tonight.'],
  ],
};

const told = (domain: string, ...rows: readonly Row[]) => tell(domain, LINES[domain]!, rows);

/** Sentences of summaries with what is wrong in them; written before the check. */
export const SENTENCE_CASES: readonly SentenceCase[] = [
  ...told(
    'work',
    ['none', 'm1', 'Ana told that two designers were hired.'],
    ['none', 'm2', 'The launch moves to 14 May, since Priya is away until April.'],
    ['none', 'm3', 'On 5 March 2026 Ana said that the client had paid €12,500.'],
    ['number', 'm1', 'Ana hired three designers.'],
    ['name', 'm2', 'The launch moves because Petra is on leave.'],
    ['date', 'm2', 'The launch moves to 24 May.'],
    ['negation', 'm1', 'Ana has signed the lease for the new office.'],
    ['negation', 'm1', 'Ana has signed the lease yet.'],
    ['uncited', '', 'The client paid.'],
  ),
  ...told(
    'home',
    ['none', 'm1', 'The boiler broke on 9 January 2026.'],
    ['none', 'm2', "Lea has no spare heater; Lea's sister Nora can lend one."],
    ['none', 'm1 m3', 'The boiler was fixed for 340 pounds.'],
    ['date', 'm1', 'The boiler broke on 10 January 2026.'],
    ['none', 'm1', 'Tom said on 10 January 2026 that the boiler broke.'],
    ['number', 'm3', 'The repair cost 430 pounds.'],
    ['name', 'm2', 'Clara can lend them a heater.'],
    ['date', 'm1', 'The plumber comes on Tuesday.'],
    ['negation', 'm3', 'They paid for the warranty.'],
    ['number', 'm1', 'The plumber comes at 9 am.'],
  ),
  ...told(
    'health',
    ['none', 'm1', "Kim's knee hurts, so Kim stopped training for the Leeds half marathon."],
    ['none', 'm2', 'Dr. Amadi told Joe not to run for 6 weeks.'],
    ['negation', 'm2', 'Dr. Amadi told Joe to run for 6 weeks.'],
    ['none', 'm3', 'Kim takes 20 mg of ibuprofen twice a day and needs no injection.'],
    ['number', 'm3', 'Kim takes 200 mg of ibuprofen.'],
    ['name', 'm1', 'Kim trained for the York half marathon.'],
    ['negation', 'm3', 'An injection is needed.'],
    ['date', 'm1', 'The knee hurts since Sunday.'],
    ['uncited', '', 'Kim is doing better.'],
  ),
  ...told(
    'food',
    ['none', 'm1', 'Mia cooked ramen for eight people on 14 February 2026.'],
    ['none', 'm1', "Oscar doesn't eat pork, therefore Mia used mushrooms."],
    ['none', 'm3', 'The broth simmers for six hours.'],
    ['number', 'm3', 'The broth simmers for 16 hours.'],
    ['name', 'm2', 'Felix asked for the recipe.'],
    ['date', 'm2', 'Oscar wants the recipe by Wednesday.'],
    ['negation', 'm1', 'Oscar eats pork.'],
    ['number', 'm1', 'Mia made ramen for eighteen people.'],
  ),
  ...told(
    'people',
    ['none', 'm1', 'Grandma turned 90 and all four went to Lisbon.'],
    ['none', 'm2', "Max's daughter Elif was born on 30 May."],
    ['none', 'm3', 'Uncle Ravi moved to Oslo in 2024.'],
    ['number', 'm1', 'Grandma turned 95.'],
    ['name', 'm1', 'The family went to Porto.'],
    ['date', 'm3', 'Uncle Ravi moved to Oslo in 2023.'],
    ['negation', 'm3', 'Uncle Ravi told them.'],
    ['name', 'm2', "Max's daughter Aylin was born."],
  ),
  ...told(
    'travel',
    ['none', 'm1', 'Zoe flies to Tokyo on 2 September for eleven nights.'],
    ['none', 'm2', 'Sam will not take the night train and booked a hotel in Kyoto.'],
    ['none', 'm3', "Zoe's visa arrived on 6 July 2026."],
    ['number', 'm2', 'The hotel costs 59 dollars a night.'],
    ['name', 'm2', 'Sam booked a hotel in Osaka.'],
    ['date', 'm1', 'Zoe flies on 12 September.'],
    ['negation', 'm2', 'Sam will take the night train.'],
    ['date', 'm3', "Zoe's passport expires in December."],
  ),
  ...told(
    'hobbies',
    ['none', 'm1', 'Eli finished the second quilt on 10 April 2026.'],
    ['none', 'm2', 'Uma no longer plays the cello, it went to Pavel for 900 francs.'],
    ['none', 'm3', "Eli's choir has 32 singers."],
    ['number', 'm3', 'The choir has 23 singers.'],
    ['name', 'm2', 'Uma sold the cello to Viktor.'],
    ['date', 'm1', 'The club meets every Friday.'],
    ['negation', 'm2', 'Uma plays the cello.'],
    ['number', 'm1', 'Eli finished the third quilt.'],
  ),
];

/** Kept apart until the check was finished. */
export const UNSEEN_SENTENCE_CASES: readonly SentenceCase[] = [
  ...told(
    'study',
    ['none', 'm1', 'Noa passed statistics with 87% and failed chemistry.'],
    ['none', 'm2', 'Professor Haddad does not accept late essays.'],
    ['none', 'm3', 'Noa changed to the evening course in Utrecht that begins on 3 November.'],
    ['none', 'm2', "Liv's essay is due in 2 weeks."],
    ['number', 'm1', 'Noa passed statistics with 78 percent.'],
    ['name', 'm3', 'Noa takes the evening course in Leiden.'],
    ['date', 'm3', 'The course begins on 13 November.'],
    ['negation', 'm2', 'Professor Haddad accepts late essays.'],
    ['negation', 'm1', 'Noa did not pass statistics.'],
    ['uncited', '', 'Noa studies hard.'],
  ),
  ...told(
    'money',
    ['none', 'm1', "Raj's rent rises to 1150 euros from October."],
    ['none', 'm2', 'Amy did not sell the Novo shares.'],
    ['none', 'm3', 'Raj owes his brother Dev half of the car loan until 2028.'],
    ['none', 'm1', 'Raj cancelled the gym.'],
    ['number', 'm2', 'The bank offers 2.3% on savings.'],
    ['name', 'm3', 'Raj owes Arun half of the car loan.'],
    ['date', 'm3', 'The loan runs until 2029.'],
    ['negation', 'm2', 'Amy sold the Novo shares.'],
    ['negation', 'm1', 'Raj has not cancelled the gym.'],
    ['number', 'm1', "Raj's rent goes up to 1,510 euros."],
  ),
  ...told(
    'tech',
    ['none', 'm1', 'The outage took 47 minutes, as the certificate had not been renewed by anybody.'],
    ['none', 'm2', 'The upgrade to Postgres 17 is on Tuesday.'],
    ['none', 'm3', 'Carla restarts the backup job of node-3 in the evening of 15 September 2026.'],
    ['none', 'm2', 'Redis stays on version 7.'],
    ['number', 'm1', 'The outage lasted 74 minutes.'],
    ['name', 'm3', 'Marta restarts the backup job.'],
    ['negation', 'm1', 'The outage took 47 minutes, as the certificate had been renewed by anybody.'],
    ['date', 'm2', 'The upgrade is on Thursday.'],
    ['negation', 'm3', 'The backup job is running on node-3.'],
    ['number', 'm2', 'They upgrade to Postgres 16.'],
    ['negation', 'm2', 'Redis does not stay on version 7.'],
  ),
  ...told(
    'work',
    ['none', 'm1', 'Ana has not signed the lease yet.'],
    ['none', 'm3', 'The client wants 3 more screens.'],
    ['number', 'm3', 'The client paid 15,200 euros.'],
    ['negation', 'm2', 'The launch does not move.'],
  ),
  ...told(
    'home',
    ['none', 'm1', 'The plumber of Hallway Heating comes on Monday.'],
    ['negation', 'm2', 'They have a spare heater.'],
    ['name', 'm1', 'The plumber of Northgate Heating comes.'],
  ),
  ...told(
    'people',
    ['none', 'm2', 'Max could not come.'],
    ['negation', 'm2', 'Max came.'],
    ['number', 'm1', 'All five went to Lisbon.'],
  ),
];
