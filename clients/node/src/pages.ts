/** Lists that are read page by page, by the cursors of the service. */

/** The entries of all pages, in order. New entries do not shift the pages. */
export async function* entries<Page extends { nextCursor?: string | null }, Entry>(
  read: (cursor: string | undefined) => Promise<Page>,
  of: (page: Page) => readonly Entry[],
): AsyncGenerator<Entry, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* of(page);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

export interface Slice {
  /** The length of a page. */
  limit?: number;
  offset?: number;
  /** The `nextCursor` of the page before. */
  cursor?: string;
}
