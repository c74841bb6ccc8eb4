import { Pages } from './pages.js';

interface Page {
  items: number[];
  total: number;
  next_cursor: string | null;
}

const PAGES: Record<string, Page> = {
  first: { items: [1, 2], total: 3, next_cursor: 'second' },
  second: { items: [], total: 3, next_cursor: 'third' },
  third: { items: [3], total: 3, next_cursor: null },
};

async function collect<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe('Pages', () => {
  let loaded: string[];
  let list: Pages<Page, 'items'>;
  beforeEach(() => {
    loaded = [];
    const load = (cursor = 'first') => {
      loaded.push(cursor);
      return Promise.resolve(PAGES[cursor]!);
    };
    list = new Pages(load, 'items');
  });

  it('loads nothing before it is used', () => {
    expect(loaded).toEqual([]);
  });

  it('has all items of all pages, also behind an empty one', async () => {
    expect(await collect(list)).toEqual([1, 2, 3]);
    expect(loaded).toEqual(['first', 'second', 'third']);
  });

  it('loads no further than it is read', async () => {
    for await (const item of list) if (item === 2) break;
    expect(loaded).toEqual(['first']);
  });

  it('has each page with everything that it says', async () => {
    expect(await collect(list.pages())).toEqual([PAGES.first, PAGES.second, PAGES.third]);
    expect(await list.page()).toBe(PAGES.first);
  });

  it('starts from the beginning when it is read again', async () => {
    await collect(list);
    expect(await collect(list)).toEqual([1, 2, 3]);
  });
});
