import { z } from 'zod';

/** UUIDv7 or any other UUID; upper case is accepted and becomes lower case, as ids are stored. */
export const uuidSchema = z.uuid().toLowerCase();

// PostgreSQL text cannot hold U+0000, and a lone surrogate has no UTF-8 form: both would be lost or rejected later.
const NUL = /\u0000/;

/** True when the text can be stored and sent as UTF-8 without change: no NUL character, no lone surrogate. */
export function isStorableText(text: string): boolean {
  return !NUL.test(text) && text.isWellFormed();
}

/** A string of `min` to `max` UTF-16 units that can be stored unchanged. */
export function storableText(min: number, max: number) {
  return z.string().min(min).max(max).refine(isStorableText, {
    error: 'Remove NUL characters and lone surrogates: they cannot be stored as UTF-8.',
  });
}

/** A caller's own identifier (user, thread, agent, run, app, actor, message): 1 to 200 storable characters. */
export const externalIdSchema = storableText(1, 200)
  .refine((id) => id.trim() === id, {
    error: 'Remove the white space at the beginning or end of the identifier.',
  })
  // Otherwise somebody who has seen the pseudonym of an erased user could write to that user's history.
  .refine((id) => !/^pseudonym:[0-9a-f]{64}$/.test(id), {
    error: 'Choose another identifier: one of this form stands for an erased user.',
  });

/**
 * The owner of a tenant's global memories in the tables of its users. No request can name it: an identifier does not
 * begin with white space (docs/reference/memory-model.md#global-memories).
 */
export const GLOBAL_OWNER = ' global';

/**
 * The fields of requests that hold such an identifier, in `params`, `query`, `body` and `body.filters`; besides these, a
 * message has `id` and `actor_id`, and a body may have a list `thread_ids`.
 */
export const EXTERNAL_ID_FIELDS = [
  'user_id',
  'thread_id',
  'agent_id',
  'run_id',
  'app_id',
  'actor_id',
  'agent',
  'message_id',
] as const;

/** Error for `refine` with `isPathSegment`. */
export const NOT_A_PATH_SEGMENT = {
  error: 'Send another identifier: "." and ".." cannot be sent in the path of a URL.',
};

export function isPathSegment(id: string): boolean {
  return id !== '.' && id !== '..';
}

/**
 * An identifier that new data gets and that routes name in their path. `.` and `..` are refused: URL libraries resolve
 * such segments, also percent-encoded, so that nobody could read, export or erase what is stored under them
 * (docs/reference/api.md#identifiers-in-paths).
 */
export const pathIdSchema = externalIdSchema.refine(isPathSegment, NOT_A_PATH_SEGMENT);

export const MIN_INSTANT = Date.UTC(1900, 0, 1);
/** Later instants fail validation; routes that take the time of a message also reject times in the future. */
export const MAX_INSTANT = Date.UTC(2200, 0, 1);

/** RFC 3339 with zone, between 1900 and 2200, normalized to UTC with milliseconds (`2025-07-01T12:00:00.000Z`). */
export const instantSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => isInstantInRange(Date.parse(text)), {
    error: 'Give a date between the years 1900 and 2200.',
  })
  .transform((text) => new Date(Date.parse(text)).toISOString());

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** An instant, or a day, which means its first moment in UTC (docs/reference/recall.md#times-and-days-in-filters). */
export const boundSchema = z
  .string()
  .meta({ format: 'date-time' })
  .describe('A time with its zone, or a day, which begins at midnight UTC.')
  .transform((text) => (DAY.test(text) ? `${text}T00:00:00Z` : text))
  .pipe(instantSchema);

/** Error for a range that is empty, for `refine` with `isUpdatedRange`. */
export const EMPTY_UPDATED_RANGE = {
  error: 'Give a time later than `updated_after`: otherwise the range is empty.',
  path: ['updated_before'],
};

/** True when the range is not empty. Both bounds are ISO 8601 in UTC, so their text sorts by time. */
export function isUpdatedRange(range: {
  readonly updated_after?: string | null | undefined;
  readonly updated_before?: string | null | undefined;
}): boolean {
  return !range.updated_after || !range.updated_before || range.updated_after < range.updated_before;
}

/** Whether a time in epoch ms is one that the API accepts. */
export function isInstantInRange(epochMs: number): boolean {
  return epochMs >= MIN_INSTANT && epochMs < MAX_INSTANT;
}

/** Page size of a list: 1–200, 50 unless given. */
export const pageLimitSchema = z.coerce.number().int().min(1).max(200).default(50);

/** Opaque position in a list, as given by `next_cursor`. It may hold an identifier of characters that JSON escapes. */
export const cursorSchema = z.string().min(1).max(2_000);

export const pageShape = { limit: pageLimitSchema, cursor: cursorSchema.optional() };

/** One page of a list; `next_cursor` is null on the last one. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

export const idParams = z.strictObject({ id: uuidSchema });
export const userParams = z.strictObject({ user_id: externalIdSchema });
/** Of a route that may begin the user. */
export const newUserParams = z.strictObject({ user_id: pathIdSchema });

/** `true`/`false` in a query string. */
export const queryFlagSchema = z.enum(['true', 'false']).transform((text) => text === 'true');
