/**
 * Runs checks one after the other and prints a line for each; a failed one does not end the run, unless what follows
 * needs it.
 * @param {(line: string) => void} print
 */
export function createChecklist(print) {
  let passed = 0;
  let failed = 0;

  /**
   * @param {string} title
   * @param {() => Promise<string | void> | string | void} verify throws when the check fails; what it returns is printed
   *   behind the title
   * @returns {Promise<boolean>} whether it passed
   */
  async function check(title, verify) {
    const startedAt = performance.now();
    const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    try {
      const detail = await verify();
      passed += 1;
      print(`ok    ${title}${detail ? `: ${detail}` : ''} (${seconds()})`);
      return true;
    } catch (error) {
      failed += 1;
      print(`FAIL  ${title} (${seconds()})\n${error.message.replaceAll(/^/gm, '      ')}`);
      return false;
    }
  }

  return {
    check,
    /** Like check, for what the rest of the run needs. */
    async must(title, verify) {
      if (!(await check(title, verify))) throw new Error(`The run ends here: ${title}.`);
    },
    /** What cannot be checked on this machine. */
    skip: (title, reason) => print(`skip  ${title}: ${reason}`),
    summary: () => ({ passed, failed }),
  };
}

/** @throws with the message unless the condition holds */
export function expect(condition, message) {
  if (!condition) throw new Error(message);
}
