import { forget, type ForgettingCase, say, type Words } from '../forgetting-case.fixture.js';

interface Attribute {
  readonly before: (x: string) => string;
  readonly after: (x: string) => string;
  readonly query: string;
  readonly asked: (x: string) => string;
}

const ATTRIBUTES: readonly Attribute[] = [
  {
    before: (x) => `I live in ${x}.`,
    after: (x) => `I live in ${x} now.`,
    query: 'Where do I live?',
    asked: (x) => `forget that I live in ${x}`,
  },
  {
    before: (x) => `I work at ${x}.`,
    after: (x) => `I work at ${x} now.`,
    query: 'Where do I work?',
    asked: (x) => `forget that I work at ${x}`,
  },
  {
    before: (x) => `My favourite band is ${x}.`,
    after: (x) => `My favourite band is ${x} now.`,
    query: 'What is my favourite band?',
    asked: (x) => `forget that my favourite band is ${x}`,
  },
  {
    before: (x) => `My dentist is ${x}.`,
    after: (x) => `My dentist is ${x} now.`,
    query: 'Who is my dentist?',
    asked: (x) => `forget that my dentist is ${x}`,
  },
  {
    before: (x) => `I study at ${x}.`,
    after: (x) => `I study at ${x} now.`,
    query: 'Where do I study?',
    asked: (x) => `forget that I study at ${x}`,
  },
];

/** What replaced something, and what of it is forgotten. The first statement is ten days older. */
export function listSuperseded(words: Words): ForgettingCase[] {
  return ATTRIBUTES.flatMap(({ before, after, query, asked }): ForgettingCase[] => {
    const [a, b, c, d, e, f, g, h, i, j] = Array.from({ length: 10 }, () => words.name());
    const first = (x: string) => ({ do: 'say', messages: [before(x)], daysAgo: 10, thread: 'first' }) as const;
    return [
      {
        name: `the newer value is returned alone: ${before('X')}`,
        steps: [first(a!), say(after(b!))],
        questions: [{ query, has: [b!] }],
        remembered: [b!],
      },
      {
        name: `the older value is returned as of then: ${before('X')}`,
        steps: [first(c!), say(after(d!))],
        questions: [{ query, has: [c!], asOfDaysAgo: 5 }],
      },
      {
        name: `the older value can be forgotten alone: ${before('X')}`,
        steps: [first(e!), say(after(f!)), forget(asked(e!))],
        gone: [e!],
        stays: [f!],
        remembered: [f!],
      },
      {
        name: `forgetting the newer value does not bring it back: ${before('X')}`,
        steps: [first(g!), say(after(h!)), forget(asked(h!))],
        gone: [h!],
      },
      {
        name: `both values can be forgotten: ${before('X')}`,
        steps: [first(i!), say(after(j!)), forget(asked(i!)), forget(asked(j!))],
        gone: [i!, j!],
      },
    ];
  });
}

/** Before time passes, after which unread memories of little weight expire; `later` is what is said then. */
export function listDecayed(words: Words): ForgettingCase[] {
  const told: readonly ((x: string) => string)[] = [
    (x) => `I had lunch at ${x} today.`,
    (x) => `I bought a lamp in ${x} yesterday.`,
    (x) => `I watched a film about ${x}.`,
    (x) => `I took the bus to ${x}.`,
    (x) => `I read a book about ${x} last week.`,
  ];
  return told.flatMap((said): ForgettingCase[] => {
    const [a, b, c, d] = Array.from({ length: 4 }, () => words.name());
    return [
      {
        name: `an expired memory is still said in its turn: ${said('X')}`,
        steps: [say(said(a!))],
        stays: [a!],
      },
      {
        name: `what was forgotten before it would expire is gone: ${said('X')}`,
        steps: [say(said(b!)), forget(`everything about ${b!}`)],
        gone: [b!],
      },
      {
        name: `what has expired can be forgotten: ${said('X')}`,
        steps: [say(said(c!))],
        later: [forget(`everything about ${c!}`)],
        gone: [c!],
      },
      {
        name: `a memory that is pinned does not expire: ${said('X')}`,
        steps: [
          { do: 'add', content: `The user was in ${d!}.` },
          { do: 'pin', word: d! },
        ],
        stays: [d!],
        remembered: [d!],
      },
    ];
  });
}

/** One-time data has a short life by itself; what stands beside it stays. */
export function listShortLived(words: Words): ForgettingCase[] {
  const told: readonly (readonly [kind: string, said: (x: string, n: string) => string])[] = [
    ['link', (x) => `My reset link is https://accounts.example/reset/${x}.`],
    ['link', (x) => `The meeting link is https://meet.example/${x}.`],
    ['link', (x) => `Here is the download link for my tax form: https://files.example/${x}`],
    ['link', (x) => `My invitation link is https://join.example/i/${x} for the workshop.`],
    ['ticket', (x, n) => `My concert ticket is ${x}-${n}.`],
    ['ticket', (x, n) => `My boarding pass has the number ${x}${n}.`],
    ['ticket', (x, n) => `My train ticket to Faro is ${x} ${n}.`],
    ['ticket', (x, n) => `My parking ticket number is ${x}${n}.`],
    ['code', (x, n) => `My pickup code is ${x}${n}.`],
    ['code', (x, n) => `The voucher code is ${x}-${n}.`],
    ['code', (x, n) => `My confirmation code for the hotel is ${x}${n}.`],
    ['code', (x, n) => `The tracking number of my parcel is ${x}${n}.`],
  ];
  return told.map(([kind, said]): ForgettingCase => {
    const [x, n, kept] = [words.name(), words.number(), words.name()];
    return {
      name: `a ${kind} is gone by itself: ${said('X', '1')}`,
      steps: [say(`${said(x, n)} My brother ${kept} plays the cello.`)],
      gone: [x],
      stays: [kept],
    };
  });
}

/** What is deleted as a memory is purged with time; what is restored or said by another turn is not. */
export function listPurged(words: Words): ForgettingCase[] {
  const told: readonly ((x: string) => string)[] = [
    (x) => `The user lives in ${x}.`,
    (x) => `The user's dog is called ${x}.`,
    (x) => `The user works at ${x}.`,
    (x) => `The user is allergic to ${x}.`,
    (x) => `The user's dentist is ${x}.`,
  ];
  return told.flatMap((content): ForgettingCase[] => {
    const [a, b, c, d] = Array.from({ length: 4 }, () => words.name());
    return [
      {
        name: `a deleted memory is purged: ${content('X')}`,
        steps: [
          { do: 'add', content: content(a!) },
          { do: 'delete', word: a! },
        ],
        gone: [a!],
      },
      {
        name: `a restored memory stays: ${content('X')}`,
        steps: [
          { do: 'add', content: content(b!) },
          { do: 'delete', word: b! },
          { do: 'restore', word: b! },
        ],
        remembered: [b!],
      },
      {
        name: `a deleted memory can be forgotten before it is purged: ${content('X')}`,
        steps: [{ do: 'add', content: content(c!) }, { do: 'delete', word: c! }, forget(`everything about ${c!}`)],
        gone: [c!],
      },
      {
        name: `what was not deleted stays: ${content('X')}`,
        steps: [{ do: 'add', content: content(d!) }],
        remembered: [d!],
      },
    ];
  });
}

/** Background work goes on after something was forgotten: nothing of it comes back, and nothing else goes. */
export function listDrifting(words: Words): ForgettingCase[] {
  const told: readonly (readonly [said: (x: string) => string, asked: (x: string) => string])[] = [
    [(x) => `I live in ${x}.`, (x) => `forget that I live in ${x}`],
    [(x) => `I work at ${x}.`, (x) => `forget that I work at ${x}`],
    [(x) => `My ex ${x} plays golf.`, () => 'everything about my ex'],
    [(x) => `I paid order ${x} in cash.`, (x) => `all that belongs to order ${x}`],
    [(x) => `I am allergic to ${x}.`, (x) => `everything about ${x}`],
  ];
  return told.flatMap(([said, asked], index): ForgettingCase[] => {
    const make = () => (index === 3 ? words.number() : words.name());
    const [a, b, c, d, e] = Array.from({ length: 5 }, make) as [string, string, string, string, string];
    const [kept, more, other] = [words.name(), words.name(), words.name()];
    const chat = (x: string) => [
      said(x),
      `I spent the week in ${kept} with my aunt.`,
      'We cooked and talked until late.',
    ];
    return [
      {
        name: `a summary loses it: ${said('X')}`,
        steps: [{ do: 'say', messages: chat(a), end: true }, forget(asked(a))],
        gone: [a],
        stays: [kept],
      },
      {
        name: `a conversation that goes on does not bring it back: ${said('X')}`,
        steps: [say(said(b)), forget(asked(b)), say(`Anyway, I like ${more} tea.`)],
        gone: [b],
        stays: [more],
      },
      {
        name: `what an app remembered loses it: ${said('X')}`,
        steps: [
          { do: 'say', messages: [said(c), 'Please plan it for Friday.'], appId: 'planner', end: true },
          forget(asked(c)),
        ],
        gone: [c],
      },
      {
        name: `forgetting twice changes nothing: ${said('X')}`,
        steps: [
          say(said(d), `I like ${other} tea.`),
          forget(asked(d)),
          { do: 'forget', text: asked(d), answer: 'nothing' },
        ],
        gone: [d],
        stays: [other],
      },
      {
        name: `what is still being extracted is forgotten as well: ${said('X')}`,
        steps: [{ do: 'sayThenForget', messages: [said(e)], text: asked(e) }],
        gone: [e],
      },
    ];
  });
}
