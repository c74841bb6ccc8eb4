/** Throws a `TypeError` that names the option that is missing. */
export function requireText(options: Readonly<Record<string, unknown>>, name: string, what: string): void {
  if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError(`Give ${name}: ${what}.`);
}
