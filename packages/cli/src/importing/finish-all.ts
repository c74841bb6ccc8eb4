/** Waits for all, also when some fail, and throws the first error: nothing goes on behind it. */
export async function finishAll(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
