import { de } from './de.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';

/** `a.b` with the text of each leaf. */
function flatten(texts: object, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value as object, `${prefix}${key}.`),
  );
}

const placeholdersOf = (text: string) => Array.from(text.matchAll(/\{\{\w+\}\}/g), ([name]) => name).toSorted();

describe.each<[string, Texts]>([
  ['German', de],
  ['Spanish', es],
  ['French', fr],
  ['Portuguese', pt],
])('the texts in %s', (_language, texts) => {
  const english = new Map(flatten(en));
  it.each(flatten(texts))('say %s, with the same values in it', (key, text) => {
    expect(text.trim()).not.toBe('');
    expect(placeholdersOf(text)).toEqual(placeholdersOf(english.get(key)!));
  });

  it('are as many as in English, and are no copy', () => {
    const all = flatten(texts);
    expect(all.map(([key]) => key).toSorted()).toEqual([...english.keys()].toSorted());
    expect(all.filter(([key, text]) => text === english.get(key)).length).toBeLessThan(4);
  });
});
