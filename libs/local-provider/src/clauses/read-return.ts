/** "Let's go back to the old staging server", "go back to what we had for the staging server". */
const RETURN =
  /^(?:(?:please|let us|let's|we should|we|I|now)\s+)*(?:go|went|going|switch(?:ed)?|chang(?:e|ed)|revert(?:ed)?|roll(?:ed)? back|return(?:ed)?)(?: back)? to (?:(?<owner>the|my|our) (?:old|previous|former|earlier) (?<what>[\p{L}\d][\p{L}\d -]{1,48})|(?:what|the one) (?:we|I) had(?: before)? (?:for|as) (?:the )?(?<thing>[\p{L}\d][\p{L}\d -]{1,48}))$/iu;

/** What a request or report to return to an earlier value says, without a final mark; undefined for other clauses. */
export function readReturn(clause: string, speakersOwn: string): string | undefined {
  const groups = RETURN.exec(clause)?.groups;
  if (!groups) return undefined;
  const { owner, what, thing } = groups as Record<string, string | undefined>;
  if (owner?.toLowerCase() === 'my') {
    return `${speakersOwn.replace(/['’]s$/u, '')} went back to ${speakersOwn} previous ${what!}`;
  }
  return `The previous ${(what ?? thing)!.toLowerCase()} is used again`;
}
