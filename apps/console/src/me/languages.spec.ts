import { chooseLanguage } from './languages.ts';

describe('chooseLanguage', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['PT-br'], 'pt'],
    [['nl', 'fr-CA', 'en'], 'fr'],
    [['nl', 'constructor'], 'en'],
    [[], 'en'],
  ])('of %j is %s', (preferred, language) => expect(chooseLanguage(preferred)).toBe(language));
});
