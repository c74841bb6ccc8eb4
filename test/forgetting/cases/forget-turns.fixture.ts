import { assistant, type ForgettingCase, say, type Words } from '../forgetting-case.fixture.js';

const SAID: readonly ((x: string) => string)[] = [
  (x) => `I live in ${x}.`,
  (x) => `My cat is called ${x}.`,
  (x) => `I work at ${x}.`,
  (x) => `I am allergic to ${x}.`,
  (x) => `My favourite restaurant is ${x}.`,
];

export function listForgottenTurns(words: Words): ForgettingCase[] {
  return SAID.flatMap((said): ForgettingCase[] => {
    const [x, kept, y, z, answered, a] = Array.from({ length: 6 }, () => words.name());
    return [
      {
        name: `a turn goes with what rests on it alone: ${said('X')}`,
        steps: [say(said(x!), `I like ${kept} tea.`), { do: 'forgetTurn', word: x! }],
        gone: [x!],
        stays: [kept!],
      },
      {
        name: `what another turn says too stays: ${said('X')}`,
        steps: [say(said(y!)), { do: 'say', thread: 'other', messages: [said(y!)] }, { do: 'forgetTurn', word: y! }],
        stays: [y!],
        remembered: [y!],
      },
      {
        name: `a turn does not come back when it is sent again: ${said('X')}`,
        steps: [
          { do: 'say', thread: 'sent again', messages: [{ role: 'user', id: 'm1', content: said(z!) }] },
          { do: 'forgetTurn', word: z! },
          { do: 'say', thread: 'sent again', messages: [{ role: 'user', id: 'm1', content: said(z!) }] },
        ],
        gone: [z!],
      },
      {
        name: `a turn of an assistant can go alone: ${said('X')}`,
        steps: [say(said(a!), assistant(`The ${answered} is open today.`)), { do: 'forgetTurn', word: answered! }],
        gone: [answered!],
        stays: [a!],
      },
    ];
  });
}
