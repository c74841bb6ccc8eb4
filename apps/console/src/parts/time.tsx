import { formatMoment } from './format-moment.ts';

/** Days are those of UTC, as the API has them. */
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

export function Moment({ at, day = false }: { readonly at: string; readonly day?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      {day ? DAY.format(new Date(at)) : formatMoment(at)}
    </time>
  );
}
