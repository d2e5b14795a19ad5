import { QuittanceError } from './errors';

/** One page as the service answers it. */
export interface ListPage<T> {
  readonly object: 'list';
  readonly url: string;
  readonly has_more: boolean;
  readonly data: readonly T[];
}

/**
 * A list of the API. Iterating over it yields every object, page by page as they are needed; nothing is asked for
 * before that.
 *
 *     for await (const payment of client.paymentIntents.list({ limit: 100 })) …
 */
export class List<T> implements AsyncIterable<T> {
  readonly #fetchPage: (startingAfter: string | null) => Promise<ListPage<T>>;

  constructor(fetchPage: (startingAfter: string | null) => Promise<ListPage<T>>) {
    this.#fetchPage = fetchPage;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  firstPage(): Promise<ListPage<T>> {
    return this.#fetchPage(null);
  }

  async *pages(): AsyncGenerator<ListPage<T>, void, undefined> {
    const cursors = new Set<string>();
    let page = await this.firstPage();
    yield page;
    while (page.has_more) {
      const cursor = lastId(page);
      // A cursor that comes again would make an endless loop.
      if (cursors.has(cursor)) throw new QuittanceError(`${page.url} answers the page after ${cursor} with itself`);
      cursors.add(cursor);
      page = await this.#fetchPage(cursor);
      yield page;
    }
  }
}

function lastId<T>({ data, url }: ListPage<T>): string {
  const id = (data.at(-1) as { readonly id?: unknown } | undefined)?.id;
  if (typeof id !== 'string')
    throw new QuittanceError(`${url} says that there is more and gives no object to go on from`);
  return id;
}
