import { renderDate, renderMonth, type ResolvedDate, resolveDates } from '@annals/english';
import { createSliceMeter, workInSlices } from '../text/cut-slices.js';
import { runAtOnce, type Sliced } from '../text/sliced.js';
import {
  addManyTerms,
  addTerms,
  addWeight,
  ANALYSIS_SLICE_UNITS,
  analyzeText,
  listTerms,
  type TextTerms,
} from './analyze-text.js';
import { dayTerm, listSpeakerTerms, ROLE_TERMS, TIME_TERM } from './marked-terms.js';
import { type IndexedTurn, OWN_WEIGHT, type UnitTerms } from './types.js';

export interface IndexedMemory {
  readonly content: string;
  readonly category: string;
  /** Epoch ms. */
  readonly validFrom: number;
  readonly speaker: string | null;
}

// In 16ths, measured (decision record 0020): the turns around a turn indicate its topic, but less than its own text.
const NEXT_WEIGHT = 8;
const SECOND_WEIGHT = 4;
/** A turn usually answers the question of the turn before it. */
const ASKED_WEIGHT = 6;
const SAID_AT_WEIGHT = 8;
const CATEGORY_WEIGHT = 4;

/** Nearest terms that count of a long neighbour: a long answer must not fill the postings of its neighbours. */
const CONTEXT_TERMS = 32;

/** Turns that are further apart than this belong to different sessions. */
const SAME_SESSION_MS = 6 * 3_600_000;

const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|weeks?|weekend|months?|years?|morning|afternoon|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)\b/i;

export function analyzeMemory({ content, category, validFrom, speaker }: IndexedMemory): UnitTerms {
  const { all } = runAtOnce(analyzeText(content));
  const terms = new Map<string, number>();
  addTerms(terms, all, OWN_WEIGHT);
  runAtOnce(addFrame(terms, content, speaker, validFrom));
  for (const term of listTerms(category)) addWeight(terms, term, CATEGORY_WEIGHT);
  return { terms, length: all.length, unitLength: all.length };
}

/**
 * The index terms of a run of turns, by message id: up to 2 earlier turns of the conversation (`isNew` false), then the
 * new ones, in their order. An earlier turn is included when its new neighbours add terms to it.
 */
export function* analyzeTurns(run: readonly IndexedTurn[]): Sliced<ReadonlyMap<string, UnitTerms>> {
  const meter = createSliceMeter(ANALYSIS_SLICE_UNITS);
  const texts: TextTerms[] = [];
  for (const { content } of run) {
    yield* meter(content.length);
    texts.push(yield* analyzeText(content));
  }
  const units = new Map<string, UnitTerms>();
  for (const [position, turn] of run.entries()) {
    yield* meter(turn.content.length);
    const terms = new Map<string, number>();
    if (turn.isNew) yield* addOwn(terms, turn, texts[position]!);
    addContext(terms, run, texts, position);
    const unitLength = texts[position]!.all.length + measureContext(run, texts, position);
    if (turn.isNew || terms.size > 0) {
      units.set(turn.id, { terms, length: turn.isNew ? unitLength : 0, unitLength });
    }
  }
  return units;
}

function* addOwn(
  terms: Map<string, number>,
  { content, speaker, saidAt, role, isOther = false }: IndexedTurn,
  { all }: TextTerms,
): Sliced<void> {
  yield* addManyTerms(terms, all, OWN_WEIGHT);
  // "What did I say" means the user (docs/reference/speakers.md#the-user).
  if (!isOther) addWeight(terms, ROLE_TERMS[role], OWN_WEIGHT);
  yield* addFrame(terms, content, speaker, saidAt);
}

function* addFrame(terms: Map<string, number>, content: string, speaker: string | null, saidAt: number): Sliced<void> {
  for (const term of listSpeakerTerms(speaker, content)) addWeight(terms, term, OWN_WEIGHT);
  if (TIME.test(content)) addWeight(terms, TIME_TERM, OWN_WEIGHT);
  if (!Number.isFinite(saidAt)) return;
  addDay(terms, saidAt, SAID_AT_WEIGHT);
  const addDate = (date: ResolvedDate) => {
    if (date.granularity === 'day') addDay(terms, Date.parse(date.from), OWN_WEIGHT);
    else for (const term of listTerms(renderDate(date))) addWeight(terms, term, OWN_WEIGHT);
  };
  yield* workInSlices(content, (slice) => resolveDates(slice, saidAt).forEach(addDate), ANALYSIS_SLICE_UNITS);
}

function addDay(terms: Map<string, number>, time: number, weight: number): void {
  addWeight(terms, dayTerm(time), weight);
  for (const term of listTerms(renderMonth(time))) addWeight(terms, term, weight);
}

/** Adds terms of new neighbours, or of all neighbours for a new turn. */
function addContext(
  terms: Map<string, number>,
  run: readonly IndexedTurn[],
  texts: readonly TextTerms[],
  position: number,
): void {
  for (const distance of [-2, -1, 1, 2]) {
    if (!isContext(run, position, distance) || !(run[position]!.isNew || run[position + distance]!.isNew)) continue;
    const text = texts[position + distance]!;
    addTerms(terms, pickNearest(text, distance), Math.abs(distance) === 1 ? NEXT_WEIGHT : SECOND_WEIGHT);
    if (distance === -1) addTerms(terms, text.asked.slice(-CONTEXT_TERMS), ASKED_WEIGHT);
  }
}

function isContext(run: readonly IndexedTurn[], position: number, distance: number): boolean {
  const neighbour = run[position + distance];
  return neighbour !== undefined && !(Math.abs(neighbour.saidAt - run[position]!.saidAt) > SAME_SESSION_MS);
}

function pickNearest({ all }: TextTerms, distance: number): readonly string[] {
  return distance < 0 ? all.slice(-CONTEXT_TERMS) : all.slice(0, CONTEXT_TERMS);
}

/** In terms, by weight. Following turns that do not exist yet are estimated by the preceding ones. */
function measureContext(run: readonly IndexedTurn[], texts: readonly TextTerms[], position: number): number {
  const count = (distance: number) =>
    isContext(run, position, distance) ? Math.min(CONTEXT_TERMS, texts[position + distance]!.all.length) : 0;
  const before = NEXT_WEIGHT * count(-1) + SECOND_WEIGHT * count(-2);
  const after = position + 1 < run.length ? NEXT_WEIGHT * count(1) + SECOND_WEIGHT * count(2) : before;
  return Math.round((before + after) / OWN_WEIGHT);
}
