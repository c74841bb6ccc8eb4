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

/**
 * Sends items in one request, and again without those that the server names as the reason why it took none of them:
 * by paths that `placeOf` knows. Throws any other problem.
 */
export async function sendWithoutNamed<Item, Answer>(
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<Answer>,
  placeOf: (path: string) => number | null,
): Promise<Sent<Item, Answer>> {
  const named: NamedItem<Item>[] = [];
  let rest = items;
  while (rest.length > 0) {
    try {
      return { answer: await send(rest), items: rest, named };
    } catch (error) {
      if (!(error instanceof InvalidRequestError || error instanceof ConflictError)) throw error;
      const places = findPlaces(error, placeOf);
      if (places.size === 0) throw error;
      for (const [place, reason] of places) named.push({ item: rest[place]!, reason });
      rest = rest.filter((_item, place) => !places.has(place));
    }
  }
  return { answer: null, items: [], named };
}

function findPlaces({ errors }: ProblemError, placeOf: (path: string) => number | null): Map<number, string> {
  return new Map(
    errors.flatMap(({ path, message }): [number, string][] => {
      const place = placeOf(path);
      return place === null ? [] : [[place, message]];
    }),
  );
}
