const CORRECTION =
  /^(?:(?:oh|oops|hm+|no|so|well|sorry|and|but)[,.! ]+)*(?:actually|sorry|correction|no wait|wait|my mistake|my bad|scratch that|to correct (?:that|myself)|(?:i )?(?:was wrong|misspoke|made a mistake|was mistaken|got that wrong|meant))\b/iu;

/** Whether a sentence begins by taking back what was said before: "Actually, …", "I was wrong, …", "Sorry, …". */
export function opensAsCorrection(sentence: string): boolean {
  return CORRECTION.test(sentence.trimStart()) || /\bi (?:was wrong|misspoke|was mistaken)\b/iu.test(sentence);
}
