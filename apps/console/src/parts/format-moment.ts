const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time of the API in the language and time zone of the browser. */
export function formatMoment(at: string): string {
  return MOMENT.format(new Date(at));
}
