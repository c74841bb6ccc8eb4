import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { pt } from './texts/pt.ts';

/** Languages by their codes, each named in itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', pt: 'Português' } as const;
type Language = keyof typeof LANGUAGES;

const TEXTS = { en, de, es, fr, pt } as const;

/** Begins in the first language that the browser prefers and the page has. */
export async function startTexts(preferred: readonly string[]): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: chooseLanguage(preferred),
    fallbackLng: 'en',
    resources: Object.fromEntries(Object.entries(TEXTS).map(([code, texts]) => [code, { translation: texts }])),
    // React writes text as text.
    interpolation: { escapeValue: false },
  });
  announce(i18next.language);
  i18next.on('languageChanged', announce);
}

export function chooseLanguage(preferred: readonly string[]): Language {
  const codes = preferred.map((tag) => tag.toLowerCase().split('-', 1)[0]);
  return codes.find((code): code is Language => code !== undefined && Object.hasOwn(LANGUAGES, code)) ?? 'en';
}

/** Screen readers speak the page in the language that it says. */
function announce(language: string): void {
  document.documentElement.lang = language;
  document.title = i18next.t('title');
}
