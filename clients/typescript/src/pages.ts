export interface Page<Item = unknown> {
  readonly data: readonly Item[]
  readonly page: number
  readonly page_size: number
}

/** A list: `await` gives its first page, `for await` all of its items, a page at a time. */
export class Pages<P extends Page<Item>, Item = P['data'][number]> implements PromiseLike<P>, AsyncIterable<Item> {
  readonly #load: (page: number | undefined) => Promise<P>

  /** @param load reads a page, and the first one that was asked for where none is given */
  constructor(load: (page: number | undefined) => Promise<P>) {
    this.#load = load
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page.
  then<A = P, B = never>(
    fulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#load(undefined).then(fulfilled, rejected)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    let page: P | undefined
    do {
      page = await this.#load(page && page.page + 1)
      yield* page.data
    } while (page.data.length > 0 && page.data.length >= page.page_size)
  }
}
