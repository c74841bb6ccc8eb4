import { ConflictError, InvalidRequestError, type ProblemError } from '@annals/sdk';

/** An item that the server does not take, and why. */
interface NamedItem<Item> {
  readonly item: Item;
  readonly reason: string;
}

export interface Sent<Item, Answer> {
  /** Null when nothing was left to send. */
  readonly answer: Answer | null;
  /** Those that were sent with it. */
  readonly items: readonly Item[];
  readonly named: readonly NamedItem<Item>[];
}

/** The place that the path of a request names, of these items; null for none. */
type PlaceOf<Item> = (path: string, items: readonly Item[]) => number | null;

/**
 * Sends items in one request, and again without those that the server names as the reason why it took none of them:
 * by paths that `placeOf` finds among those of the request. Throws any other problem.
 */
export async function sendWithoutNamed<Item, Answer>(
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<Answer>,
  placeOf: PlaceOf<Item>,
): Promise<Sent<Item, Answer>> {
  const named: NamedItem<Item>[] = [];
  let rest = items;
  while (rest.length > 0) {
    try {
      return { answer: await send(rest), items: rest, named };
    } catch (error) {
      if (!(error instanceof InvalidRequestError || error instanceof ConflictError)) throw error;
      const places = findPlaces(error, rest, placeOf);
      if (places.size === 0) throw error;
      for (const [place, reason] of places) named.push({ item: rest[place]!, reason });
      rest = rest.filter((_item, place) => !places.has(place));
    }
  }
  return { answer: null, items: [], named };
}

/** The number that a path has in its first group. */
export const placeBy = (pattern: RegExp) => (path: string) => {
  const place = pattern.exec(path)?.[1];
  return place === undefined ? null : Number(place);
};

/** Why a request was refused for something of it; null when that is not the reason. */
export function findReason(error: unknown, path: RegExp): string | null {
  if (!(error instanceof InvalidRequestError || error instanceof ConflictError)) return null;
  return error.errors.find((each) => path.test(each.path))?.message ?? null;
}

function findPlaces<Item>({ errors }: ProblemError, items: readonly Item[], placeOf: PlaceOf<Item>) {
  return new Map(
    errors.flatMap(({ path, message }): [number, string][] => {
      const place = placeOf(path, items);
      return place === null ? [] : [[place, message]];
    }),
  );
}
