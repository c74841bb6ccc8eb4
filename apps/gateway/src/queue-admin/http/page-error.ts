/** A refusal of the queue UI that its visitor reads as a page. */
export class PageError extends Error {
  constructor(
    readonly status: 403 | 404 | 405,
    readonly title: string,
    readonly detail: string,
  ) {
    super(detail);
    this.name = 'PageError';
  }
}

export function pageNotFound(): PageError {
  return new PageError(404, 'Not found', 'There is no such page. Begin at the queues.');
}
