import {
  assistant,
  forget,
  type ForgettingCase,
  type Said,
  say,
  type Step,
  type Words,
} from '../forgetting-case.fixture.js';

/** What is asked for, and what is only like it; with a made-up word or number for x. */
type LookAlike = readonly [asked: (x: string) => string, said: (x: string) => Said];

const STATEMENTS: readonly LookAlike[] = [
  [(x) => `forget that I live in ${x}`, (x) => `My aunt lives in ${x}.`],
  [(x) => `forget that I live in ${x}`, (x) => `I do not live in ${x}.`],
  [(x) => `forget that I live in ${x}`, (x) => assistant(`Your aunt lives in ${x}, doesn't she?`)],
  [(x) => `forget that I live in ${x}`, (x) => `My parents and my aunt live in ${x}.`],
  [(x) => `forget that I work at ${x}`, (x) => `My sister works at ${x}.`],
  [(x) => `forget that I'm allergic to ${x}`, (x) => `My son is allergic to ${x}.`],
  [(x) => `forget that my dog is called ${x}`, (x) => `My dentist is called ${x}.`],
  [(x) => `forget that my dog is called ${x}`, (x) => `Her dog is called ${x}.`],
  [(x) => `forget that I drive a ${x}`, (x) => `My cousin drives a ${x}.`],
  [(x) => `forget that I play chess with ${x} every week`, (x) => `I play tennis with ${x} every week.`],
];

const IDENTIFIERS: readonly LookAlike[] = [
  [(n) => `everything about order ${n}`, (n) => `I won ${n} euros in the lottery.`],
  [(n) => `everything about order ${n}`, (n) => `The flat costs $${n} at least.`],
  [(n) => `everything about ${n}`, (n) => `My car has run ${n} km so far.`],
  [(n) => `everything about ${n}`, (n) => `Exactly ${n}% of my steps are stairs.`],
  [(n) => `everything about invoice ${n}`, (n) => `I read page ${n}.5 of the log.`],
];

const PEOPLE: readonly LookAlike[] = [
  [() => 'everything about my ex', (x) => `My ex-boss ${x} plays golf.`],
  [() => 'everything about my sister', (x) => `My sister-in-law ${x} plays golf.`],
  [() => 'everything about my sister', (x) => `My sister in law ${x} plays golf.`],
  [() => 'everything about my brother', (x) => `My half-brother ${x} plays golf.`],
  [() => 'everything about my boss', (x) => `Her boss ${x} plays golf.`],
  [() => 'everything about my mother', (x) => `My mother tongue is ${x}.`],
];

const NAMES: readonly LookAlike[] = [
  [(x) => `everything about ${x}`, (x) => `I moved to Santa ${x} last May.`],
  [(x) => `everything about ${x}`, (x) => `Mount ${x} was white last May.`],
  [(x) => `everything about ${x}`, (x) => `I swam in Lake ${x} last May.`],
  [(x) => `everything about ${x}`, (x) => `My office is in ${x} Street.`],
  [(x) => `everything about ${x}`, (x) => `I stayed with Anna-${x} last May.`],
];

/** What has the same words and is something else: it stays when nothing else was said, and beside what goes. */
export function listLookAlikes(words: Words): ForgettingCase[] {
  const alone = (given: readonly LookAlike[], next: () => string) =>
    given.map(([asked, said]): ForgettingCase => {
      const x = next();
      const what = said(x);
      const content = typeof what === 'string' ? what : what.content;
      return {
        name: `"${asked('…').replaceAll(x, '…')}" leaves "${content.replaceAll(x, '…')}"`,
        steps: [say(what, 'It rained all day.'), { do: 'forget', text: asked(x), answer: 'nothing' } satisfies Step],
        stays: [x],
      };
    });
  return [
    ...alone(STATEMENTS, () => words.name()),
    ...alone(IDENTIFIERS, () => words.number()),
    ...alone(PEOPLE, () => words.name()),
    ...alone(NAMES, () => words.name()),
    ...listBeside(words),
  ];
}

function listBeside(words: Words): ForgettingCase[] {
  const [place, aunt, tom, film, near, ana, river, guest, n, thing] = [
    ...Array.from({ length: 8 }, () => words.name()),
    words.number(),
    words.name(),
  ] as [string, string, string, string, string, string, string, string, string, string];
  return [
    {
      name: 'where somebody lives goes, and an aunt who lives there stays',
      steps: [
        say(`I live in ${place}.`, `My aunt ${aunt} lives in ${place}.`),
        forget(`forget that I live in ${place}`),
      ],
      stays: [aunt],
      questions: [
        { query: `Who lives in ${place}?`, has: [aunt], hasNot: [`I live in ${place}`, `user lives in ${place}`] },
      ],
    },
    {
      name: 'an ex goes, and a stranger with the same first name stays',
      steps: [
        say(`My ex ${tom} likes jazz.`, `I saw a film with ${tom} ${film}.`, `${tom} lives in ${near} now.`),
        forget('everything about my ex'),
      ],
      gone: [near],
      stays: [film],
    },
    {
      name: 'a person goes, and a river with the same name stays',
      steps: [
        say(`I had lunch with ${ana} and ${guest}.`, `I swam in Lake ${ana} near ${river}.`),
        forget(`everything about ${ana}`),
      ],
      gone: [guest],
      stays: [river],
    },
    {
      name: 'an order goes, and the same number of euros stays',
      steps: [
        say(`I paid order ${n} for a ${thing} lamp.`, `I won ${n} euros in the lottery.`),
        forget(`all that belongs to order ${n}`),
      ],
      gone: [thing],
      stays: [n],
    },
  ];
}
