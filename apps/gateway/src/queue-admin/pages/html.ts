/** HTML that needs no further escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | null | undefined | readonly (Html | string)[];

/** HTML of a template: every value but `Html` is escaped, `null` is left out. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: Value): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
