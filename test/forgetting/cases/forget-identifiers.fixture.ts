import { forget, type ForgettingCase, say, type Words } from '../forgetting-case.fixture.js';

const KINDS = ['order', 'booking', 'invoice', 'ticket', 'case', 'contract'] as const;

export function listForgottenIdentifiers(words: Words): ForgettingCase[] {
  return [...KINDS.flatMap((kind) => listOfKind(kind, words)), ...listSpelt(words)];
}

function listOfKind(kind: string, words: Words): ForgettingCase[] {
  const [n, m, a, b] = [words.number(), words.number(), words.number(), words.number()];
  const [thing, other, place] = [words.name(), words.name(), words.name()];
  return [
    {
      name: `all that belongs to ${kind} n takes its turns and facts, not those of another ${kind}`,
      steps: [
        say(`I paid ${kind} ${n} for a ${thing} lamp.`, `I paid ${kind} ${m} for a ${other} chair.`),
        forget(`all that belongs to ${kind} ${n}`),
      ],
      gone: [n, thing],
      stays: [m, other],
    },
    {
      name: `${kind} n takes nothing of a longer number`,
      steps: [
        say(`I paid ${kind} ${a}7 in ${place}.`, `I paid ${kind} 9${a} too.`, `I paid ${kind} ${a}-2 as well.`),
        { do: 'forget', text: `everything about ${kind} ${a}`, answer: 'nothing' },
      ],
      stays: [`${a}7`, `9${a}`, `${a}-2`],
    },
    {
      name: `a number of a ${kind} and of a parcel is refused`,
      steps: [
        say(`I paid ${kind} ${b} in cash.`, `I picked up parcel ${b} myself.`),
        { do: 'forget', text: `everything about ${b}`, answer: 'ambiguous' },
      ],
      stays: [b],
    },
  ];
}

function listSpelt(words: Words): ForgettingCase[] {
  const spelt: readonly (readonly [said: (n: string) => string, asked: (n: string) => string])[] = [
    [(n) => `AB-${n}`, (n) => `ab${n}`],
    [(n) => `ab${n}`, (n) => `AB-${n}`],
    [(n) => `AB ${n}`, (n) => `AB-${n}`],
    [(n) => `AB_${n}`, (n) => `AB/${n}`],
    [(n) => `AB–${n}`, (n) => `AB-${n}`],
    [(n) => `#${n}`, (n) => n],
    [(n) => n, (n) => `#${n}`],
    [(n) => `no. ${n}`, (n) => n],
    [(n) => `number ${n}`, (n) => n],
    [(n) => `${n.slice(0, 3)} ${n.slice(3)}`, (n) => n],
    [(n) => `${n.slice(0, 3)}-${n.slice(3)}`, (n) => n],
    [(n) => n, (n) => `${n.slice(0, 3)} ${n.slice(3)}`],
    [(n) => `QX${n}B`, (n) => `qx ${n} b`],
    [(n) => n.replace(/\d/gu, (digit) => String.fromCodePoint(digit.codePointAt(0)! + 0xfee0)), (n) => n],
  ];
  const found = spelt.map(([said, asked]): ForgettingCase => {
    const [n, thing] = [words.number(), words.name()];
    return {
      name: `order ${asked('123456')} takes what was said of order ${said('123456')}`,
      steps: [say(`I paid order ${said(n)} for a ${thing} lamp.`), forget(`everything about order ${asked(n)}`)],
      gone: [thing, said(n)],
    };
  });
  const apart: readonly (readonly [said: (n: string) => string, asked: (n: string) => string])[] = [
    [(n) => `AB-${n}`, (n) => n],
    [(n) => `AB-${n}`, (n) => `AC-${n}`],
    [(n) => `AB-${n}`, (n) => `AB-${n.slice(0, 5)}`],
    [(n) => `AB-${n}`, (n) => `B-${n}`],
    [(n) => `0${n}`, (n) => n],
    [(n) => `${n}/2`, (n) => n],
    [(n) => `${n}.5`, (n) => n],
  ];
  const left = apart.map(([said, asked]): ForgettingCase => {
    const n = words.number();
    return {
      name: `order ${asked('123456')} takes nothing of order ${said('123456')}`,
      steps: [
        say(`I paid order ${said(n)} in cash.`),
        { do: 'forget', text: `everything about order ${asked(n)}`, answer: 'nothing' },
      ],
      stays: [said(n)],
    };
  });
  const personal = ['e-mail', 'phone'].map((kind, index): ForgettingCase => {
    const [thing, kept] = [words.name(), words.name()];
    const value = index === 0 ? `lena@${thing.toLowerCase()}.example` : '+351 912 345 678';
    return {
      name: `a personal value that is stored as a placeholder is found by it: ${kind}`,
      steps: [
        say(`My colleague in ${thing} writes from ${value}.`, `I like ${kept} tea.`),
        forget(`everything about ${value}`),
      ],
      gone: [thing],
      stays: [kept],
    };
  });
  return [...found, ...left, ...personal];
}
