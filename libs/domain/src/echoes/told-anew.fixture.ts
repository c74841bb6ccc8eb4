/** A memory that is over, what later memories say that tell it anew, and look-alikes, which say something else. */
interface Retellings {
  readonly over: string;
  readonly anew: readonly string[];
  readonly others: readonly string[];
}

/** Written after that: sentences with all words of what is over that limit it. The rule was changed for those it took. */
export const LIMITED: readonly Omit<Retellings, 'anew'>[] = [
  {
    over: 'The user drinks coffee.',
    others: [
      'The user rarely drinks coffee.',
      'The user hardly drinks coffee.',
      'The user barely drinks coffee.',
      'The user scarcely drinks coffee.',
      'The user seldom drinks coffee.',
      'The user supposedly drinks coffee.',
      'The user drinks coffee only on Sundays.',
    ],
  },
  {
    over: 'The user drinks black coffee in the morning.',
    others: ['The user seldom drinks black coffee in the morning.', 'The user almost drinks black coffee.'],
  },
  {
    over: 'The user rarely drinks black coffee.',
    others: ['The user drinks black coffee.'],
  },
  {
    over: 'The user has a gym membership.',
    others: [
      'The user has a gym membership that expired.',
      'The user has a gym membership that ended in May.',
      'The user has a gym membership, which was cancelled.',
      'The user nearly has a gym membership.',
      'The user previously has a gym membership.',
    ],
  },
  {
    over: 'The user works at Acme.',
    others: [
      'The user works at Acme only on paper.',
      'The user allegedly works at Acme.',
      'The user is formerly employed at Acme.',
      'The user works at Acme, but only until May.',
    ],
  },
  {
    over: 'The user lives in Lisbon.',
    others: [
      'The user lives in Lisbon until June 2024.',
      'The user almost lives in Lisbon.',
      'The user lives in Lisbon with a dog until June 2024.',
    ],
  },
];

/** Written before the rule compared memories with each other. */
export const RETELLINGS: readonly Retellings[] = [
  {
    over: 'The user lives in Lisbon.',
    anew: [
      'The user resides in Lisbon.',
      'The user is living in Lisbon again.',
      'The user is based in Lisbon.',
      "The user's home is Lisbon.",
      'The user lives in Lisbon with a dog.',
    ],
    others: [
      'The user no longer lives in Lisbon.',
      'The user lived in Lisbon.',
      'The user wants to live in Lisbon.',
      'The user plans to live in Lisbon.',
      'The user might live in Lisbon next year.',
      "The user's sister lives in Lisbon.",
      'Ana lives in Lisbon.',
      'The user visited Lisbon.',
      'The user lives in Porto.',
      'The user likes living abroad, and Lisbon is cheap.',
      'The user lives near Ana, who works in Lisbon.',
    ],
  },
  {
    over: 'The user works at Zeiss.',
    anew: ['The user is employed at Zeiss.', 'The user works at Zeiss again.', 'The user has a job at Zeiss.'],
    others: [
      'The user worked at Zeiss.',
      'The user left the job at Zeiss.',
      'The user applied for a job at Zeiss.',
      'The user does not work at Zeiss.',
      "The user's manager works at Zeiss.",
      'The user works at Bosch.',
      'The user bought Zeiss lenses for work.',
    ],
  },
  {
    over: 'The user is allergic to peanuts.',
    anew: ['The user has a peanut allergy.', 'The user is still allergic to peanuts.'],
    others: [
      'The user is not allergic to peanuts.',
      "The user's son is allergic to peanuts.",
      'The user is allergic to pollen.',
      'The user was allergic to peanuts.',
      'The user likes peanuts.',
    ],
  },
  {
    over: 'The user plays chess.',
    anew: ['The user is playing chess again.', 'The user plays chess on Fridays.'],
    others: [
      'The user stopped playing chess.',
      'The user played chess.',
      'The user watches chess.',
      'The user wants to play chess.',
      "The user's brother plays chess.",
      'The user plays the cello.',
    ],
  },
  {
    over: 'The user has two cats.',
    anew: ['The user owns two cats.', 'The user has got two cats.', 'The user has two cats again.'],
    others: [
      'The user has three cats.',
      'The user had two cats.',
      'The user wants two cats.',
      'The user has two dogs.',
      "The user's mother has two cats.",
    ],
  },
  {
    over: 'The user prefers tea over coffee.',
    anew: ['The user still prefers tea over coffee.', 'The user prefers tea to coffee.'],
    others: [
      'The user prefers coffee over tea.',
      'The user does not prefer tea over coffee.',
      'The user drinks tea and coffee.',
      'Ana prefers tea over coffee.',
    ],
  },
  {
    over: 'The user is married to Eva.',
    anew: ["The user's wife is Eva.", 'Eva is the wife of the user.'],
    others: [
      'The user was married to Eva.',
      'The user is divorced from Eva.',
      "The user's ex wife is Eva.",
      "The user's brother is married to Eva.",
      'The user is married to Ina.',
    ],
  },
  {
    over: "Ana's manager is Li.",
    anew: ["Li is Ana's manager.", "Ana's boss is Li.", "Ana's manager is Li again."],
    others: [
      "Ana's manager was Li.",
      "Ana's manager is Kim.",
      "Li's manager is Ana.",
      "Ana's manager is not Li.",
      "Ben's manager is Li.",
    ],
  },
  {
    over: "The user's passport expires in June 2027.",
    anew: ["The user's passport expires in June 2027, so a new one is needed."],
    others: [
      "The user's passport expires in June 2028.",
      "The user's lease expires in June 2027.",
      "The passport of the user's son expires in June 2027.",
    ],
  },
  {
    over: 'The staging server is eu-3.',
    anew: ['The staging server is eu-3 again.', 'The staging server is now eu-3.'],
    others: ['The staging server is eu-4.', 'The production server is eu-3.', 'The staging server is not eu-3.'],
  },
  {
    over: 'The user drives a red Volvo.',
    anew: ['The user drives a red Volvo to work.', 'The user is driving a red Volvo.'],
    others: [
      'The user sold a red Volvo.',
      'The user drove a red Volvo.',
      'The user drives a red Saab.',
      'The user wants to drive a red Volvo.',
      "The user's neighbour drives a red Volvo.",
    ],
  },
  {
    over: 'The user is vegetarian.',
    anew: ['The user is a vegetarian.', 'The user is vegetarian again.'],
    others: [
      'The user is not vegetarian.',
      'The user likes vegetarian food.',
      "The user's wife is vegetarian.",
      'The user was vegetarian.',
      'The user is vegan.',
    ],
  },
];
