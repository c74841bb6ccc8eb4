/** How memories call the person who speaks. */
export interface SubjectName {
  /** At the start of a sentence: "Ana", "The user". */
  initial: string;
  /** Inside a sentence: "Ana", "the user". */
  inner: string;
  possessive: string;
}

// "ana", "user_17" and mail addresses are handles; "Ana", "Jean-Luc" and "Ana de Souza" are names.
const LOOKS_LIKE_NAME = /^\p{Lu}[\p{Ll}\p{M}]+(?:[ '’-](?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}\.))*$/u;
const ROLE_WORDS =
  /^(?:User|Admin|Human|Assistant|Customer|Guest|Client|Member|Agent|Bot|System|Anonymous|Unknown|Default|The)\b/;
const MAX_NAME_LENGTH = 60;

export function resolveSubjectName(actorId: string | null, subjectName: string | undefined): SubjectName {
  const name = [actorId, subjectName].find((candidate) => candidate && looksLikeName(candidate));
  if (name) return { initial: name, inner: name, possessive: `${name}'s` };
  return { initial: 'The user', inner: 'the user', possessive: "the user's" };
}

function looksLikeName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && LOOKS_LIKE_NAME.test(text) && !ROLE_WORDS.test(text);
}
