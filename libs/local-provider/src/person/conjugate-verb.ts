const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  are: 'is',
  have: 'has',
  do: 'does',
  were: 'was',
  go: 'goes',
};

/** Verbs without a third person of their own. */
const UNCHANGING = new Set(
  'can could may might must shall should will would ought was is has does had did used cannot been'.split(' '),
);

/** Third person singular of a present form: like → likes, am → is, study → studies. Modals stay as they are. */
export function conjugateThirdPerson(verb: string): string {
  const lower = verb.toLowerCase();
  if (UNCHANGING.has(lower)) return verb;
  const irregular = IRREGULAR[lower];
  if (irregular) return irregular;
  if (/[^aeiou]y$/.test(lower)) return `${verb.slice(0, -1)}ies`;
  if (/(?:s|x|z|ch|sh|o)$/.test(lower)) return `${verb}es`;
  return `${verb}s`;
}
