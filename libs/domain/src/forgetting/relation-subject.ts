import type { TurnSpeaker } from '../echoes/read-turn.js';
import { findName, isSameKey, judgePlace, type NameOccurrence, resolveName, toKey } from './name-subject.js';
import type { ForgetRequest } from './read-request.js';
import { isTitle } from './read-request.js';
import { isHyphenated, isSameWord, readTokensWith, type Token } from './read-tokens.js';
import {
  CandidateCounter,
  type Certainty,
  collectMentions,
  type Resolution,
  type SearchedText,
  type Span,
  type Subject,
  type WalkTexts,
} from './subject.js';

type RelationRequest = Extract<ForgetRequest, { kind: 'relation' }>;

const OWNERS: ReadonlySet<string> = new Set([
  'user',
  'users',
  'my',
  'our',
  'your',
  'his',
  'her',
  'their',
  'its',
  'whose',
]);
/** Which of these mean the user, by who speaks: "your ex" of an assistant, but not "my ex" of another participant. */
const OF_USER: Readonly<Record<TurnSpeaker['is'], ReadonlySet<string>>> = {
  user: new Set(['my', 'our']),
  assistant: new Set(['your', 'user', 'users']),
  other: new Set(['user', 'users']),
  nobody: new Set(['user', 'users']),
};
/** In tokens, before what somebody has. */
const OWNER_REACH = 3;
const IS_NAMED: ReadonlySet<string> = new Set(['is', 'was', 'are', 'called', 'named', 'name']);

/** "My ex-husband" is my ex; "my ex-boss" is not, and "my sister-in-law" is not my sister. */
const PARTNERS: ReadonlySet<string> = new Set(
  'husband wife partner boyfriend girlfriend fiance fiancee spouse'.split(' '),
);
/** Behind "my ex": somebody who was something else before. */
const FORMER_OTHERS: ReadonlySet<string> = new Set(
  'boss colleague coworker landlord landlady neighbour neighbor teacher roommate flatmate manager employer'.split(' '),
);
/** Before what somebody is, when that is somebody else: "my step sister", "my ex wife". */
const OTHER_KINDS: ReadonlySet<string> = new Set(['ex', 'step', 'half', 'grand', 'great', 'foster']);
/** Behind what somebody is, when together they mean something else: "my mother tongue". */
const OTHER_THINGS: ReadonlySet<string> = new Set('tongue board nature ship company companies city cities'.split(' '));

interface Occurrence extends Span {
  readonly name: readonly Token[];
  readonly isOfUser: boolean;
}

/**
 * Somebody or something by what it is to the user, with whoever is named so: "my ex" is also "Tom" where "my ex Tom" was
 * said (docs/reference/forgetting.md#what-somebody-is-to-the-user). Ambiguous when two are.
 */
export async function resolveRelation(request: RelationRequest, walk: WalkTexts): Promise<Resolution> {
  const { relation, name } = request;
  const named = new CandidateCounter();
  const names = new Map<string, readonly Token[]>();
  /** By the key of the first name. */
  const surnames = new Map<string, Set<string>>();
  await walk((searched) => {
    const keys = new Set<string>();
    for (const found of findRelation(searched, relation)) {
      if (!found.isOfUser || found.name.length === 0) continue;
      const first = found.name.slice(0, 1);
      const key = [...names.keys()].find((known) => isSameKey(known, toKey(first))) ?? toKey(first);
      if (!names.has(key)) names.set(key, first);
      if (found.name.length > 1) surnames.set(key, (surnames.get(key) ?? new Set()).add(toKey(found.name.slice(1))));
      if (!keys.has(key)) named.add(key, `my ${render(relation)} ${render(first)}`);
      keys.add(key);
    }
  });
  if (name.length === 0 && named.keys.length > 1) return { outcome: 'ambiguous', candidates: named.list() };
  const own = name.length > 0 ? name.slice(0, 1) : ([...names.values()][0] ?? []);
  const hasOthers = [...names.keys()].some((key) => !isSameKey(key, toKey(own)));
  const ownSurnames = [...surnames].flatMap(([key, keys]) => (isSameKey(key, toKey(own)) ? [...keys] : []));
  const alias =
    own.length === 0 ? null : await findAlias(relation, name.length > 0 ? name : own, { walk, surnames: ownSurnames });
  const judge = (found: Occurrence): Certainty => {
    if (!found.isOfUser) return 'other';
    if (found.name.length === 0) return hasOthers || (name.length > 0 && names.size === 0) ? 'unclear' : 'sure';
    return isSameKey(toKey(found.name.slice(0, 1)), toKey(own)) ? 'sure' : 'other';
  };
  const subject: Subject = {
    findMentions: (searched) => {
      const related = findRelation(searched, relation);
      const certain = collectMentions(related.map((found) => ({ ...found, certainty: judge(found) })));
      const byName = alias?.findMentions(searched);
      return {
        sure: [...certain.sure, ...(byName?.sure ?? [])],
        other: certain.other === 'unclear_subject' ? certain.other : (byName?.other ?? certain.other),
      };
    },
  };
  return { outcome: 'found', subject };
}

/**
 * The person of that name; where others have it, only where it is said what they are to the user. A surname that was
 * never said of them may be a stranger's.
 */
async function findAlias(
  relation: readonly Token[],
  name: readonly Token[],
  { walk, surnames }: { readonly walk: WalkTexts; readonly surnames: readonly string[] },
): Promise<Subject> {
  const resolved = await resolveName(name, walk);
  if (resolved.outcome === 'found' && name.length > 1) return resolved.subject;
  return {
    findMentions: (searched) => {
      const { text } = searched;
      const judge = (found: NameOccurrence): Certainty => {
        const { surname, place, relation: said } = found;
        if (place !== null) return judgePlace(found, true);
        if (surnames.some((known) => isSameKey(known, surname))) return 'sure';
        if (said !== null && relation.some(({ forms }) => forms.includes(said))) return 'sure';
        if (resolved.outcome === 'found') return surname === '' ? 'sure' : 'unclear';
        return findRelation(searched, relation).length > 0 ? 'other' : 'unclear';
      };
      const all = findName(readTokensWith(text, name[0]!), name, text);
      return collectMentions(all.map((one) => ({ ...one, certainty: judge(one) })));
    },
  };
}

function findRelation({ text, speaker }: SearchedText, relation: readonly Token[]): Occurrence[] {
  const tokens = readTokensWith(text, relation[0]!);
  const found: Occurrence[] = [];
  for (const from of tokens.keys()) {
    if (!relation.every((word, index) => tokens[from + index] && isSameWord(tokens[from + index]!, word))) continue;
    if (isHyphenated(tokens[from])) continue;
    const last = from + relation.length - 1;
    const isOther = isOtherKind(tokens, from) || isOtherThing(tokens, last);
    let to = last;
    while (isHyphenated(tokens[to + 1])) to += 1;
    const name = readNameBehind(tokens, to) ?? readNameBefore(tokens, from) ?? [];
    found.push({
      start: tokens[from]!.start,
      end: tokens[to]!.end,
      name,
      isOfUser: !isOther && isOfUser(tokens, from, speaker),
    });
  }
  return found;
}

function isOtherKind(tokens: readonly Token[], from: number): boolean {
  const before = tokens[from - 1];
  return before !== undefined && tokens[from]!.before === ' ' && before.forms.some((form) => OTHER_KINDS.has(form));
}

function isOtherThing(tokens: readonly Token[], last: number): boolean {
  const [word, behind, second] = tokens.slice(last, last + 3);
  if (!behind) return false;
  const isEx = word!.forms.includes('ex');
  if (isHyphenated(behind)) return !isEx || !behind.forms.some((form) => PARTNERS.has(form));
  if (behind.before !== ' ') return false;
  if (isEx && behind.forms.some((form) => FORMER_OTHERS.has(form))) return true;
  const isInLaw = behind.forms.includes('in') && second?.forms.some((form) => /^laws?$/u.test(form)) === true;
  return isInLaw || behind.forms.some((form) => OTHER_THINGS.has(form));
}

function isOfUser(tokens: readonly Token[], from: number, speaker: TurnSpeaker): boolean {
  const before = tokens.slice(Math.max(0, from - OWNER_REACH), from).toReversed();
  const owner = before.find(({ forms, raw }) => forms.some((form) => OWNERS.has(form)) || /['’ʼ]s$/u.test(raw));
  // Nobody's ("an ex"): the user's, unless somebody else tells of theirs.
  if (!owner) return speaker.is !== 'other';
  return owner.forms.some((form) => OF_USER[speaker.is].has(form));
}

/** "My ex Tom", "my ex, Dr. Tom Weber, …", "my ex is called Tom". */
function readNameBehind(tokens: readonly Token[], to: number): Token[] | null {
  let at = to + 1;
  const isNear = () => tokens[at] !== undefined && /^[\s,.’']*$/u.test(tokens[at]!.before);
  while (
    isNear() &&
    (isTitle(tokens[at]!) || (!tokens[at]!.isName && tokens[at]!.forms.some((form) => IS_NAMED.has(form))))
  )
    at += 1;
  const name: Token[] = [];
  while (isNear() && tokens[at]!.isName && !tokens[at]!.isFirst && (name.length === 0 || tokens[at]!.before === ' ')) {
    name.push(tokens[at]!);
    at += 1;
  }
  return name.length === 0 ? null : name;
}

/** "Tom, my ex, …", "Tom is my ex". */
function readNameBefore(tokens: readonly Token[], from: number): Token[] | null {
  const owner = tokens[from - 1];
  const at = tokens[from - 2]?.forms.includes('the') ? from - 3 : from - 2;
  const link = tokens[at];
  if (!owner?.forms.some((form) => OWNERS.has(form)) || !link) return null;
  if (/^,\s$/u.test(tokens[at + 1]!.before) && link.isName) return readNameUpTo(tokens, at);
  const named = tokens[at - 1];
  return link.forms.includes('is') && named?.isName === true && !isTitle(named) ? readNameUpTo(tokens, at - 1) : null;
}

/** A name by its last word. The first word of a sentence may be no name, unless a title is before it. */
function readNameUpTo(tokens: readonly Token[], last: number): Token[] {
  let first = last;
  while (tokens[first]!.before === ' ') {
    const before = tokens[first - 1]!;
    const isSure = !before.isFirst || (first > 1 && isTitle(tokens[first - 2]!));
    if (!before.isName || isTitle(before) || !isSure) break;
    first -= 1;
  }
  return tokens.slice(first, last + 1);
}

const render = (tokens: readonly Token[]) => tokens.map(({ raw }) => raw.replace(/['’ʼ]s$/u, '')).join(' ');
