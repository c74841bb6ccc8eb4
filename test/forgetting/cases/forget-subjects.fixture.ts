import { assistant, forget, type ForgettingCase, say, type Words } from '../forgetting-case.fixture.js';

const RELATIONS = ['ex', 'sister', 'boss', 'neighbour', 'cousin', 'landlord', 'therapist', 'daughter'] as const;

export function listForgottenPeople(words: Words): ForgettingCase[] {
  return RELATIONS.flatMap((relation): ForgettingCase[] => {
    const [a, b, c, d, e, f, g, h, i, j, k, l] = Array.from({ length: 12 }, () => words.name());
    return [
      {
        name: `everything about my ${relation} takes who is named beside the word`,
        steps: [
          say(`My ${relation} ${a} likes jazz.`, `I had dinner with ${a} in ${b}.`, `I collect maps of ${c}.`),
          forget(`everything about my ${relation}`),
        ],
        gone: [a!, b!],
        stays: [c!],
      },
      {
        name: `everything about my ${relation} takes the word without a name`,
        steps: [
          say(`My ${relation} works at ${d}.`, `My uncle works at ${e}.`),
          forget(`Forget everything about my ${relation}`),
        ],
        gone: [d!],
        stays: [e!],
      },
      {
        name: `my ${relation} is refused when two people are`,
        steps: [
          say(`My ${relation} ${f} plays golf.`, `My ${relation} ${g} plays the harp.`),
          { do: 'forget', text: `everything about my ${relation}`, answer: 'ambiguous' },
        ],
        stays: [f!, g!],
      },
      {
        name: `one of two people who are my ${relation} goes by name`,
        steps: [
          say(`My ${relation} ${h} plays golf.`, `My ${relation} ${i} plays the harp.`),
          forget(`everything about my ${relation} ${h}`),
        ],
        gone: [h!],
        stays: [i!],
      },
      {
        name: `everything about my ${relation} takes what an assistant said`,
        steps: [
          say(`My ${relation} ${j} has a boat.`, assistant(`How is ${j} doing?`), assistant(`Tell me about ${k}.`)),
          forget(`all about my ${relation}`),
        ],
        gone: [j!],
        stays: [k!],
      },
      {
        name: `a name that is a part of another word stays beside my ${relation}`,
        steps: [say(`My ${relation} ${l} has a boat.`, `I like ${l}son Hall.`), forget(`everything about ${l}`)],
        stays: [`${l}son`],
        questions: [{ query: 'Who has a boat?', hasNot: ['has a boat'] }],
      },
    ];
  });
}

export function listForgottenNames(words: Words): ForgettingCase[] {
  const cases: ForgettingCase[] = [];
  const add = (given: ForgettingCase) => cases.push(given);
  /** [as it is said, as somebody asks for it], with a made-up word for x. */
  const spelt: readonly (readonly [said: (x: string) => string, asked: (x: string) => string])[] = [
    [(x) => x, (x) => x.toLowerCase()],
    [(x) => x, (x) => x.toUpperCase()],
    [(x) => `Dr. ${x}`, (x) => x],
    [(x) => x, (x) => `Dr ${x}`],
    [(x) => `Prof. Dr. ${x}`, (x) => `Mr ${x}`],
    [(x) => `${x}é`, (x) => `${x}e`],
    [(x) => `${x}e`, (x) => `${x}é`],
    [(x) => `${x}ü`, (x) => `${x}ue`],
    [(x) => `${x}oe`, (x) => `${x}ö`],
    [(x) => `${x}ß`, (x) => `${x}ss`],
    [(x) => `${x}ø`, (x) => `${x}o`],
    [(x) => `${x}ñ`, (x) => `${x}n`],
    [(x) => `${x}æ`, (x) => `${x}ae`],
    [(x) => `Ł${x.toLowerCase()}`, (x) => `L${x.toLowerCase()}`],
    [(x) => x.replace(/./gu, (letter) => toFullWidth(letter)), (x) => x],
    [(x) => `${x}-Marie`, (x) => `${x} Marie`],
    [(x) => `${x}’s`, (x) => x],
    [(x) => `O'${x}`, (x) => `O’${x}`],
    [(x) => `${x}e\u0301`, (x) => `${x}\u00e9`],
  ];
  for (const [said, asked] of spelt) {
    const [x, kept] = [words.name(), words.name()];
    add({
      name: `"${asked('X')}" takes what was said of "${said('X')}"`,
      steps: [
        say(`I went to the opera with ${said(x)} yesterday.`, `I like ${kept} tea.`),
        forget(`everything about ${asked(x)}`),
      ],
      gone: [
        said(x)
          .replace(/^(?:Prof\. )?Dr\. /u, '')
          .replace(/’s$/u, ''),
      ],
      stays: [kept],
    });
  }
  const transliterated = [
    ['Пётр', 'Petr'],
    ['Ольга', 'Olga'],
    ['Γιώργος', 'Giorgos'],
    ['Мария', 'Mariya'],
  ] as const;
  for (const [said, asked] of transliterated) {
    const [x, kept] = [words.name(), words.name()];
    add({
      name: `"${asked}" takes what was said of "${said}"`,
      steps: [say(`I met ${said} in ${x}.`, `I like ${kept} tea.`), forget(`everything about ${asked}`)],
      gone: [x],
      stays: [kept],
    });
  }
  for (const [said, asked] of [
    [(x: string) => `${x}a`, (x: string) => x],
    [(x: string) => `${x}-Berg`, (x: string) => `${x}-Ber`],
    [(x: string) => `New${x.toLowerCase()}`, (x: string) => x],
    [(x: string) => `${x}é`, (x: string) => x],
    [(x: string) => `${x}mann`, (x: string) => `${x}man`],
  ] as const) {
    const x = words.name();
    add({
      name: `"${asked('X')}" takes nothing of "${said('X')}"`,
      steps: [
        say(`I went to the opera with ${said(x)} yesterday.`),
        { do: 'forget', text: `everything about ${asked(x)}`, answer: 'nothing' },
      ],
      stays: [said(x)],
    });
  }
  for (const meet of ['met', 'called', 'visited', 'wrote to', 'worked with']) {
    const [first, one, two, alone, surname] = Array.from({ length: 5 }, () => words.name());
    add({
      name: `a first name of two people is refused: ${meet}`,
      steps: [
        say(`I ${meet} ${first} ${one} in May.`, `I ${meet} ${first} ${two} in June.`),
        { do: 'forget', text: `everything about ${first}`, answer: 'ambiguous' },
      ],
      stays: [one!, two!],
    });
    const [other, mine, yours] = [words.name(), words.name(), words.name()];
    add({
      name: `one of two people with a first name goes by the whole name: ${meet}`,
      steps: [
        say(`I ${meet} ${other} ${mine} in May.`, `I ${meet} ${other} ${yours} in June.`),
        forget(`everything about ${other} ${mine}`),
      ],
      gone: [mine],
      stays: [yours],
    });
    add({
      name: `a first name of one person takes the whole name too: ${meet}`,
      steps: [say(`I ${meet} ${alone} ${surname} in May.`, `${alone} likes tea.`), forget(`everything about ${alone}`)],
      gone: [alone!, surname!],
    });
  }
  return cases;
}
const toFullWidth = (letter: string) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0);
