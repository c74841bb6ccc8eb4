import { assistant, forget, type ForgettingCase, say, type Words } from '../forgetting-case.fixture.js';

/** A statement about oneself: how it is said, how somebody asks to forget it, and how an assistant repeats it. */
interface Statement {
  readonly said: (value: string) => string;
  readonly asked: (value: string) => string;
  readonly echo: (value: string) => string;
}

const STATEMENTS: readonly Statement[] = [
  {
    said: (x) => `I live in ${x}.`,
    asked: (x) => `forget that I live in ${x}`,
    echo: (x) => `Since you live in ${x}, the ferry is near.`,
  },
  {
    said: (x) => `I work at ${x}.`,
    asked: (x) => `Please forget that I work at ${x}.`,
    echo: (x) => `You work at ${x}, so the canteen is free.`,
  },
  {
    said: (x) => `My dog is called ${x}.`,
    asked: (x) => `forget that my dog is called ${x}`,
    echo: (x) => `Your dog is called ${x}, a lovely name.`,
  },
  {
    said: (x) => `I am allergic to ${x}.`,
    asked: (x) => `Forget that I'm allergic to ${x}`,
    echo: (x) => `You are allergic to ${x}, so I left it out.`,
  },
  {
    said: (x) => `My sister ${x} is a nurse.`,
    asked: (x) => `delete that my sister ${x} is a nurse`,
    echo: (x) => `Your sister ${x} is a nurse, she may know.`,
  },
  {
    said: (x) => `I drive a ${x}.`,
    asked: (x) => `could you forget that I drive a ${x}?`,
    echo: (x) => `You drive a ${x}, which takes diesel.`,
  },
  {
    said: (x) => `I study at ${x}.`,
    asked: (x) => `Remove the fact that I study at ${x}.`,
    echo: (x) => `You study at ${x}, where the library is open late.`,
  },
  {
    said: (x) => `I play chess with ${x} every week.`,
    asked: (x) => `forget that I play chess with ${x} every week`,
    echo: (x) => `You play chess with ${x} every week, so Tuesday is taken.`,
  },
];

export function listForgottenStatements(words: Words): ForgettingCase[] {
  return STATEMENTS.flatMap((statement) => [
    ...listPlain(statement, words),
    ...listRepeated(statement, words),
    ...listMixed(statement, words),
  ]);
}

function listPlain({ said, asked }: Statement, words: Words): ForgettingCase[] {
  const [x, kept, dry, other, absent, y] = Array.from({ length: 6 }, () => words.name()) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return [
    {
      name: `"${asked('…')}" takes what was said in a turn of its own`,
      steps: [say(said(x), `I collect stamps from ${kept}.`), forget(asked(x))],
      gone: [x],
      stays: [kept],
    },
    {
      name: `a dry run of "${asked('…')}" takes nothing`,
      steps: [say(said(dry)), { do: 'forget', text: asked(dry), answer: 'dry_run' }],
      stays: [dry],
    },
    {
      name: `"${asked('…')}" takes nothing that was said of another value`,
      steps: [say(said(other)), { do: 'forget', text: asked(absent), answer: 'nothing' }],
      stays: [other],
    },
    {
      name: `"${asked('…')}" takes a memory that was written by hand`,
      steps: [{ do: 'add', content: toThird(said(y)) }, forget(asked(y))],
      gone: [y],
    },
  ];
}

function listRepeated({ said, asked, echo }: Statement, words: Words): ForgettingCase[] {
  const [x, y, z, again, later] = Array.from({ length: 5 }, () => words.name()) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return [
    {
      name: `"${asked('…')}" takes what an assistant repeats of it`,
      steps: [say(said(x)), say(assistant(echo(x)), 'Thanks, that helps.'), forget(asked(x))],
      gone: [x],
    },
    {
      name: `"${asked('…')}" takes it from every thread`,
      steps: [say(said(y)), { do: 'say', thread: 'other', messages: [said(y)], end: true }, forget(asked(y))],
      gone: [y],
    },
    {
      name: `"${asked('…')}" keeps it from coming back with the same message`,
      steps: [
        { do: 'say', thread: 'sent again', messages: [{ role: 'user', id: 'm1', content: said(z) }] },
        forget(asked(z)),
        { do: 'say', thread: 'sent again', messages: [{ role: 'user', id: 'm1', content: said(z) }] },
      ],
      gone: [z],
    },
    {
      name: `"${asked('…')}" keeps it from coming back with an import of what was said before`,
      steps: [
        { do: 'say', thread: 'live', messages: [said(again)], daysAgo: 2 },
        forget(asked(again)),
        { do: 'say', thread: 'imported', messages: [said(again)], daysAgo: 2 },
      ],
      gone: [again],
    },
    {
      name: `what "${asked('…')}" took is remembered when it is said anew`,
      steps: [say(said(later)), forget(asked(later)), { do: 'say', thread: 'anew', messages: [said(later)] }],
      stays: [later],
    },
  ];
}

function listMixed({ said, asked }: Statement, words: Words): ForgettingCase[] {
  const [x, kept, y, sentence, topic] = Array.from({ length: 5 }, () => words.name()) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return [
    {
      name: `"${asked('…')}" leaves the other sentences of the turn`,
      steps: [say(`${said(x)} My brother ${kept} plays the cello.`), forget(asked(x))],
      gone: [x],
      stays: [kept],
    },
    {
      name: `"${asked('…')}" leaves the sentences around it`,
      steps: [say(`I met ${sentence} at the market. ${said(y)} It rained all day.`), forget(asked(y))],
      gone: [y],
      stays: [sentence],
    },
    {
      name: `"${asked('…')}" leaves what a person says of somebody else`,
      steps: [
        say(`My neighbour ${topic} lives upstairs and works at night.`),
        { do: 'forget', text: asked('Nowhere'), answer: 'nothing' },
      ],
      stays: [topic],
    },
  ];
}

/** In the words of memories. */
function toThird(said: string): string {
  return said
    .replace(/^I am /u, 'The user is ')
    .replace(/^I (\w+)y /u, (_all, verb: string) =>
      /[aeo]$/u.test(verb) ? `The user ${verb}ys ` : `The user ${verb}ies `,
    )
    .replace(/^I (\w+) /u, 'The user $1s ')
    .replace(/^My /u, "The user's ");
}
