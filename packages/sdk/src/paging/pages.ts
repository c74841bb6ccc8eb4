type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** A list that is read page by page, and only as far as it is used: nothing is sent before. */
export class Pages<Page extends { readonly next_cursor: string | null }, Field extends keyof Page> {
  constructor(
    private readonly load: (cursor: string | undefined) => Promise<Page>,
    private readonly field: Field,
  ) {}

  /** The first page; `cursor` of the query continues after another one, by its `next_cursor`. */
  page(): Promise<Page> {
    return this.load(undefined);
  }

  /** All pages. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.load(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** All items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page[Field]>, void, undefined> {
    for await (const page of this.pages()) yield* page[this.field] as readonly ItemOf<Page[Field]>[];
  }
}
