/** A memory, a turn, and whether the turn says what the memory says. */
export interface EchoPair {
  readonly memory: string;
  readonly role: 'user' | 'assistant';
  readonly turn: string;
}

type Lines = readonly string[];

/** "role| turn": what is said beside one memory, echoes and look-alikes. */
export interface PairsOfMemory {
  readonly echoes: Lines;
  readonly others: Lines;
}

const PAIRS: Readonly<Record<string, PairsOfMemory>> = {
  'The user lives in Lisbon.': {
    echoes: [
      'a| Great that you live in Lisbon!',
      'a| Since you live in Lisbon, the coast is only half an hour away.',
      "u| As I said, I'm living in Lisbon.",
      'a| Living in Lisbon must be lovely for you.',
      'u| I reside in Lisbon these days.',
      'a| Got it: you are based in Lisbon.',
    ],
    others: [
      'u| My sister lives in Lisbon.',
      'a| Lisbon has mild winters.',
      'u| I flew to Lisbon for a long weekend.',
      'u| I would love to live in Lisbon one day.',
      'a| If you live in Lisbon, you need a metro card.',
      'u| I live in Lisburn.',
    ],
  },
  'The user works at Zeiss.': {
    echoes: [
      'a| Working at Zeiss sounds great, you must see a lot of optics.',
      'a| Since you work at Zeiss, you know lenses well.',
      'u| I work at Zeiss, by the way.',
      'u| Like I told you, my job is at Zeiss.',
    ],
    others: [
      'u| My brother works at Zeiss.',
      'u| I bought lenses from Zeiss.',
      'a| Zeiss was founded in Jena.',
      'u| I do not work at Zeiss.',
    ],
  },
  'The user is allergic to peanuts.': {
    echoes: [
      'a| Noted, you are allergic to peanuts, so I left them out.',
      'u| I have a peanut allergy.',
      'a| Because of your peanut allergy, I suggest sunflower seeds.',
      "u| I'm allergic to peanuts, remember?",
    ],
    others: [
      'u| My son is allergic to peanuts.',
      "u| I'm allergic to pollen.",
      'a| Peanut allergies are common among children.',
      "u| I'm not allergic to peanuts.",
      'u| I love peanuts.',
    ],
  },
  'The user plays chess on Sundays.': {
    echoes: [
      'a| Nice that you play chess on Sundays.',
      'u| On Sundays I play chess.',
      'a| Playing chess every Sunday keeps your mind sharp.',
    ],
    others: [
      'u| I play tennis on Sundays.',
      'u| I watched a chess film on Sunday.',
      'u| My father plays chess on Sundays.',
    ],
  },
  'The user has a dog named Rex.': {
    echoes: [
      'a| Your dog Rex sounds adorable!',
      "u| My dog's name is Rex.",
      'a| How lovely that you have a dog named Rex.',
      'u| I have a dog, Rex.',
    ],
    others: [
      'u| I have a cat named Rex.',
      'u| My neighbour has a dog named Rex.',
      'a| Rex is a popular name for dogs.',
      'u| I have a dog named Max.',
    ],
  },
  "The user's landlord is Mr. Keller.": {
    echoes: [
      'a| You could ask your landlord, Mr. Keller, in writing.',
      'u| Mr. Keller is my landlord.',
      'u| My landlord, Mr. Keller, called.',
    ],
    others: [
      'u| Mr. Keller is my dentist.',
      "u| My sister's landlord is Mr. Keller.",
      'u| My landlord is Mr. Kern.',
      'a| A landlord has to give notice three months before.',
    ],
  },
  'The user drives a red Volvo.': {
    echoes: [
      'a| A red Volvo like the one you drive holds its value.',
      'u| I drive a red Volvo.',
      'a| As you drive a red Volvo, winter tyres of 16 inches fit.',
    ],
    others: [
      'u| I drive a blue Volvo.',
      'u| I saw a red Volvo outside.',
      'u| My boss drives a red Volvo.',
      'a| Red cars fade faster than others.',
    ],
  },
  'The staging server is eu-3.': {
    echoes: [
      'a| OK, the staging server is eu-3.',
      'a| I will deploy to the staging server eu-3.',
      'u| The server for staging is eu-3, as always.',
    ],
    others: [
      'u| The production server is eu-3.',
      'u| The staging server is eu-4.',
      'a| The staging server is down.',
      'u| eu-3 needs more memory.',
    ],
  },
  'The deadline of the Apollo project is on 4 May.': {
    echoes: [
      'a| The deadline for the Apollo project is 4 May, so you have two weeks.',
      'u| Apollo project, deadline 4 May.',
    ],
    others: [
      'u| The deadline of the Hermes project is on 4 May.',
      'u| The deadline of the Apollo project is on 9 May.',
      'a| The Apollo project began in 1961.',
      'u| The party is on 4 May.',
    ],
  },
  'The user prefers tea over coffee.': {
    echoes: [
      'a| Since you prefer tea over coffee, try this Assam.',
      'u| I prefer tea over coffee.',
      'a| You said you prefer tea to coffee.',
    ],
    others: [
      'u| I prefer coffee over tea.',
      'u| My wife prefers tea over coffee.',
      'a| Tea has less caffeine than coffee.',
      'u| I had tea and coffee today.',
    ],
  },
  'The user is vegetarian.': {
    echoes: [
      'a| As you are vegetarian, here are three recipes.',
      "u| I'm a vegetarian.",
      "u| Don't forget that I'm vegetarian.",
    ],
    others: [
      'u| I cooked a vegetarian lasagne.',
      'a| Here is a vegetarian recipe.',
      'u| My girlfriend is vegetarian.',
      "u| I'm not vegetarian.",
    ],
  },
  "Ana's manager is Li.": {
    echoes: ["a| Li is Ana's manager, so copy her in.", "u| Ana's manager, Li, approved it."],
    others: [
      "u| Ben's manager is Li.",
      "u| Ana's manager is Kim.",
      'a| Ana and Li will both be there.',
      "u| Li is Ana's friend.",
    ],
  },
  'The user has two children.': {
    echoes: [
      'a| With your two children, a larger tent makes sense.',
      'u| I have two kids.',
      'u| We have two children.',
    ],
    others: ['u| I have three children.', 'u| My brother has two children.', 'a| The flat fits two children.'],
  },
  'The user takes metformin.': {
    echoes: [
      'a| Because you take metformin, avoid too much alcohol.',
      "u| I'm taking metformin.",
      'u| I take metformin twice a day.',
    ],
    others: [
      'u| My mother takes metformin.',
      'a| Metformin lowers blood sugar.',
      'u| Should I take metformin?',
      'u| I take aspirin.',
    ],
  },
  'The user is married to Eva.': {
    echoes: [
      'a| Since you are married to Eva, you can file jointly.',
      "u| I'm married to Eva.",
      'u| Eva and I are married.',
    ],
    others: [
      'u| My cousin is married to Eva.',
      "u| I'm married to Ines.",
      'u| Eva is coming over tonight.',
      "u| I'm not married.",
    ],
  },
  'The user plays the cello in an orchestra.': {
    echoes: ['a| It is wonderful that you play the cello in an orchestra.', 'u| I play cello in an orchestra.'],
    others: [
      'u| I heard the cello in an orchestra.',
      'u| I play the viola in an orchestra.',
      'a| An orchestra has about ten cellos.',
    ],
  },
  'The user studies biology in Graz.': {
    echoes: [
      'a| Studying biology in Graz gives you access to the Alps.',
      "u| I'm a student of biology in Graz.",
      'u| I study biology in Graz.',
    ],
    others: ['u| I study law in Graz.', 'u| I study biology in Vienna.', 'a| The University of Graz offers biology.'],
  },
  'The user gets up at 5 am.': {
    echoes: ['a| Since you get up at 5 am, go to bed by ten.', 'u| I get up at 5 am.'],
    others: ['u| I get up at 7 am.', 'a| The bakery opens at 5 am.', 'u| My flight leaves at 5 am.'],
  },
  'The user rents a garden plot in Altona.': {
    echoes: [
      'a| You rent a garden plot in Altona, so compost is worth it.',
      'u| We rent a garden plot in Altona.',
      'a| Your rented garden plot in Altona has sandy soil.',
    ],
    others: [
      'u| I rent a flat in Altona.',
      'a| Garden plots in Altona have long waiting lists.',
      'u| I want to rent a garden plot in Altona.',
    ],
  },
  'The user has diabetes.': {
    echoes: [
      'a| With your diabetes, choose whole grains.',
      'u| I have diabetes.',
      'a| You have diabetes, so check the label.',
    ],
    others: [
      'u| My grandfather had diabetes.',
      'a| Diabetes affects one in ten adults.',
      'u| I read a book about diabetes.',
    ],
  },
  "The user's favourite colour is teal.": {
    echoes: ['a| Your favourite colour, teal, would suit the wall.', 'u| Teal is my favourite colour.'],
    others: [
      "u| My daughter's favourite colour is teal.",
      'u| My favourite colour is green.',
      'a| Teal is a mix of blue and green.',
    ],
  },
  'The user is learning Japanese.': {
    echoes: [
      "a| It's great that you're learning Japanese.",
      "u| I'm learning Japanese.",
      'u| I have been learning Japanese since spring.',
    ],
    others: [
      'u| My son is learning Japanese.',
      'u| We ate at a Japanese place.',
      'a| Learning Japanese takes about 2200 hours.',
    ],
  },
};

/** Written after the rule, which was changed for one of them: what of the user's a memory is about has to be named. */
const HELD_OUT: Readonly<Record<string, PairsOfMemory>> = {
  'The user owns a sailing boat called Petrel.': {
    echoes: [
      'a| The Petrel, your sailing boat, will need a new coat of antifouling in spring.',
      'u| I own a sailing boat, the Petrel.',
      'a| Taking Petrel out this weekend? A sailing boat like yours handles that wind easily.',
    ],
    others: [
      'u| We chartered a sailing boat in Croatia.',
      'a| A petrel is a seabird that follows sailing boats.',
      'u| Uncle Tom owns a sailing boat called Petrel.',
    ],
  },
  'The user has been sober since March 2021.': {
    echoes: [
      'a| Congratulations on being sober since March 2021, you should be proud.',
      'u| I got sober in March 2021.',
    ],
    others: [
      'u| My dad has been sober since March 2021.',
      'u| The firm was founded in March 2021.',
      'a| Staying sober is easier with company.',
    ],
  },
  'The user earns 72,000 euros a year.': {
    echoes: [
      'a| On your salary of 72,000 euros a year, the rent is affordable.',
      'a| You earn 72,000 euros a year, which puts you in the third bracket.',
      'u| I make 72,000 euros a year.',
    ],
    others: [
      'a| The median there is 72,000 euros a year.',
      'u| I earn 64,000 euros a year.',
      'u| The kitchen costs 72,000 euros.',
    ],
  },
  'The user is afraid of flying.': {
    echoes: [
      'a| Since flying scares you, I looked for trains.',
      "u| I'm afraid of flying.",
      'a| I know you are afraid of flying, so here is a ferry.',
      'a| Given your fear of flying, the night train is better.',
    ],
    others: [
      'u| My aunt is afraid of flying.',
      'a| One in six people is afraid of flying.',
      "u| I'm afraid the flight is late.",
    ],
  },
  'The user runs marathons.': {
    echoes: [
      'a| As someone who runs marathons, you know about pacing.',
      'u| I run marathons.',
      'a| You run marathons, so ten kilometres is a warm-up.',
    ],
    others: [
      'u| I watched the marathon on television.',
      'a| People who run marathons need more iron.',
      'u| I run a bakery.',
    ],
  },
  'The user voted for the Greens.': {
    echoes: ['u| I voted for the Greens.', 'a| You voted for the Greens, so climate policy matters to you.'],
    others: ['u| My parents voted for the Greens.', 'a| The Greens won nine seats.', 'u| I might vote for the Greens.'],
  },
  'The user goes to therapy on Thursdays.': {
    echoes: [
      'a| I moved it, since you go to therapy on Thursdays.',
      'u| On Thursdays I go to therapy.',
      'a| Your therapy on Thursdays is at four, so Friday is free.',
    ],
    others: [
      'u| The physio is on Thursdays.',
      'a| Many people go to therapy after a loss.',
      'u| My husband goes to therapy on Thursdays.',
    ],
  },
  'Ben works for the Foreign Office.': {
    echoes: [
      'a| Ben could ask a colleague, as he works for the Foreign Office.',
      'u| Ben works at the Foreign Office.',
    ],
    others: ['u| Clara works for the Foreign Office.', 'u| Ben called the Foreign Office.', 'u| Ben works from home.'],
  },
  'The wifi password of the studio is on the fridge.': {
    echoes: [
      "a| You'll find the wifi password of the studio on the fridge.",
      'u| The studio wifi password is on the fridge.',
    ],
    others: [
      'u| The shopping list is on the fridge.',
      'a| Change the wifi password of the studio every year.',
      'u| The studio has a fridge.',
    ],
  },
  "The user's passport expires in June 2027.": {
    echoes: ['a| Your passport expires in June 2027, so a visa is fine.', 'u| My passport expires in June 2027.'],
    others: [
      "u| Leo's passport expires in June 2027.",
      'u| My lease expires in June 2027.',
      'u| My passport expires in May 2026.',
    ],
  },
};

export function listPairs(pairs: typeof PAIRS, pick: keyof PairsOfMemory): EchoPair[] {
  return Object.entries(pairs).flatMap(([memory, lines]) =>
    lines[pick].map((line) => ({
      memory,
      role: line.startsWith('a|') ? ('assistant' as const) : ('user' as const),
      turn: line.slice(2).trim(),
    })),
  );
}

/** Turns that say what a memory says. */
export const ECHOES = listPairs(PAIRS, 'echoes');
export const HELD_OUT_ECHOES = listPairs(HELD_OUT, 'echoes');

/** Turns with the same words that say something else: of another person, another value, a wish, a condition, a truism. */
export const NO_ECHOES = listPairs(PAIRS, 'others');
export const HELD_OUT_NO_ECHOES = listPairs(HELD_OUT, 'others');
