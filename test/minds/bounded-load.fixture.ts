import {
  answerHonestly,
  answerFromPrompt,
  type FakeRequest,
  MEMORY_PAIRS,
  parseMind,
  renderDecisions,
  type ScriptedDecision,
} from '@annals/testing';

const FIRST =
  'Nadia Tomas Wanda Pavel Ingrid Marek Sonja Viktor Helga Dario Mirela Oskar Petra Ruben Selma Taavi Ursel Yannis Zora Albin Berta Cosmo Delia Ennio Frieda'.split(
    ' ',
  );
const LAST =
  'Quist Bergman Okoro Lindal Varga Pokorny Hadley Moreau Ferris Kowal Nyland Osei Prager Rossi Stroud Tveit Ulman Wexler Yarrow Zander Imhof'.split(
    ' ',
  );
/** Pairs that speak of the user, so that a text tells whose it is. */
const PAIRS = MEMORY_PAIRS.filter(({ a, b }) => [a, b].every((text) => /\b[Tt]he user\b/u.test(text)));
const PAIRS_PER_USER = 20;
/** Statements that resemble each other, and that only a model can tell apart. */
const QUALITIES = 'green old heavy painted wooden noisy'.split(' ');
const WAYS = [
  'after breakfast',
  'with great patience',
  'behind the shed',
  'before supper',
  'in the garden',
  'for a neighbour',
  'on quiet mornings',
  'with a cousin',
];
const NAME = /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/gu;

/** A user with a name of their own in each of their memories. */
interface LoadedUser {
  readonly id: string;
  readonly memories: readonly string[];
  /** What is said in a conversation. */
  readonly said: readonly string[];
}

/** Users with memories, many of which come in pairs, and a model that knows what is right about each pair. */
export class BoundedLoad {
  readonly users: readonly LoadedUser[];
  private readonly ids = new Map<string, string>();
  private readonly decisions = new Map<string, ScriptedDecision>();

  constructor(users: number, memoriesPerUser: number) {
    if (users > FIRST.length * LAST.length) throw new Error('There are not enough names.');
    this.users = Array.from({ length: users }, (_, index) => this.addUser(index, memoriesPerUser));
  }

  readonly answer = (request: FakeRequest): string => {
    if (parseMind(request) !== 'consolidation') return answerFromPrompt(request);
    return renderDecisions(request, ({ a, b }) => this.decisions.get(`${a}\n${b}`) ?? { verdict: 'apart' });
  };

  /** Whose memory it is. */
  ownerOf(text: string): string {
    const [id] = this.ownersOf(text);
    if (id === undefined) throw new Error(`It is not known whose this is: ${text}`);
    return id;
  }

  /** All whose names are in a text. */
  ownersOf(text: string): string[] {
    return [...text.matchAll(NAME)].flatMap(([name]) => this.ids.get(name) ?? []);
  }

  private addUser(index: number, memories: number): LoadedUser {
    const name = `${FIRST[index % FIRST.length]} ${LAST[Math.floor(index / FIRST.length)]}`;
    const id = `user-${index}`;
    this.ids.set(name, id);
    const personal = (text: string) => text.replaceAll(/\b[Tt]he user\b/gu, name);
    const texts = new Set<string>();
    for (let turn = 0; turn < PAIRS_PER_USER; turn += 1) {
      const pair = PAIRS[(index * PAIRS_PER_USER + turn) % PAIRS.length]!;
      const honest = answerHonestly(pair);
      const decision = honest.verdict === 'merge' ? { ...honest, content: personal(honest.content) } : honest;
      const [a, b] = [personal(pair.a), personal(pair.b)];
      this.decisions.set(`${a}\n${b}`, decision).set(`${b}\n${a}`, decision);
      texts.add(a).add(b);
    }
    for (let turn = 0; texts.size < memories; turn += 1) {
      const [quality, way] = [
        QUALITIES[turn % QUALITIES.length],
        WAYS[Math.floor(turn / QUALITIES.length) % WAYS.length],
      ];
      const thing = ['boat', 'clock', 'fence'][Math.floor(turn / (QUALITIES.length * WAYS.length))]!;
      texts.add(`${name} repairs the ${quality} ${thing} ${way}.`);
    }
    const said = ['Porto', 'Oslo', 'Ghent', 'Turin', 'Riga', 'Lyon'].map(
      (place, turn) =>
        `${name} spent ${index + turn + 2} days in ${place} with a neighbour and brought home a small painted box.`,
    );
    return { id, memories: [...texts].slice(0, memories), said };
  }
}
