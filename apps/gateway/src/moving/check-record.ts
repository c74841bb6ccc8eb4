import { type ImportedMemory, type ImportedMessage, PROCEDURAL_CATEGORY } from '@annals/contracts';
import type { Refusal } from '@annals/storage';

/** Clocks differ. Not more: what counts as known later than an erasure or a decision here would be taken again. */
const FUTURE_TOLERANCE_MS = 5 * 60 * 1_000;

type TimedMemory = Omit<ImportedMemory, 'sources'>;

const TIMES_OF_MESSAGE = ['created_at', 'received_at', 'hidden_at', 'evicted_at', 'forgotten_at'] as const;

/** Why a message is not taken, whatever is stored; null when nothing speaks against it. `now`: epoch ms. */
export function checkMessage(
  message: Pick<ImportedMessage, (typeof TIMES_OF_MESSAGE)[number]>,
  now: number,
): Refusal | null {
  const future = TIMES_OF_MESSAGE.find((name) => isFuture(message[name] ?? null, now));
  return future === undefined ? null : refuseTimes(`A time of the message is in the future: correct \`${future}\`.`);
}

/** The same for a value of the user context. */
export function checkValue({ since }: { readonly since: string }, now: number): Refusal | null {
  return isFuture(since, now) ? refuseTimes('It was stated in the future: correct `since`.') : null;
}

/** The same for a memory. */
export function checkMemory(memory: TimedMemory, now: number): Refusal | null {
  const { type, category } = memory;
  if (type === 'insight') {
    return {
      code: 'wrong_type',
      detail: 'An insight was inferred, not said. Insights are inferred again with the conversations that follow.',
    };
  }
  if ((type === 'procedural') !== (category === PROCEDURAL_CATEGORY)) {
    return {
      code: 'wrong_type',
      detail: `Memories of type procedural belong in the category ${PROCEDURAL_CATEGORY}, and no others do.`,
    };
  }
  const wrong = findWrongTime(memory, now);
  return wrong === null ? null : refuseTimes(wrong);
}

function findWrongTime(memory: TimedMemory, now: number): string | null {
  const {
    recorded_at: recordedAt,
    closed_at: closedAt,
    valid_from: from,
    valid_to: validTo,
    superseded_by: successor,
    former_ends: formerEnds,
  } = memory;
  if (isFuture(recordedAt, now)) return 'It was known in the future: correct `recorded_at`.';
  if (isFuture(closedAt, now)) return 'Its end was known in the future: correct `closed_at`.';
  if (formerEnds.some(({ since }) => isFuture(since, now))) {
    return 'A former end was known in the future: correct `former_ends`.';
  }
  if (validTo !== null && validTo < from) return 'It ended before it began: correct `valid_from` or `valid_to`.';
  if (validTo === null && successor !== null) return 'It was superseded but has no end: give `valid_to`.';
  if (validTo === null && closedAt !== null)
    return 'The end that was known at `closed_at` is missing: give `valid_to`.';
  if (closedAt !== null && closedAt < recordedAt) {
    return 'Its end was known before it was: correct `recorded_at` or `closed_at`.';
  }
  return null;
}

const isFuture = (time: string | null, now: number) => time !== null && Date.parse(time) > now + FUTURE_TOLERANCE_MS;

const refuseTimes = (detail: string): Refusal => ({ code: 'wrong_times', detail });
