/**
 * Checks at start that each queue has exactly one handler and no handler is without a queue.
 * @throws Error that says which handler to add or remove
 */
export function assertHandlers(
  queueNames: readonly string[],
  handlers: readonly { readonly queue: string; readonly handler: string }[],
): void {
  const problems = [
    ...queueNames.flatMap((queue) =>
      describeQueue(
        queue,
        handlers.filter((entry) => entry.queue === queue),
      ),
    ),
    ...handlers
      .filter(({ queue }) => !queueNames.includes(queue))
      .map(({ queue, handler }) => `${handler} handles "${queue}", which this process does not serve: remove it.`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function describeQueue(queue: string, handlers: readonly { readonly handler: string }[]): string[] {
  if (handlers.length === 1) return [];
  if (handlers.length === 0) {
    return [`Queue "${queue}" has no handler: create a JobWorker for its definition and add it to this process.`];
  }
  const names = handlers.map(({ handler }) => handler).join(', ');
  return [`Queue "${queue}" has ${handlers.length} handlers (${names}): keep one.`];
}
