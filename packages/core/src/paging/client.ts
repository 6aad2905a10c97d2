interface Paged {
  /** The `after` of the next page. */
  readonly next?: string | undefined
}

/** An operation of the typed client whose answers are pages. */
interface PagedCall<Page extends Paged, Given extends readonly unknown[]> {
  readonly call: (...given: Given) => Promise<Page>
}

/** Asks for one page after another: `for await (const page of pagesOf(api.listOrders, { query: { limit: 50 } }))`. */
export async function* pagesOf<Page extends Paged, Given extends readonly unknown[]>(
  operation: PagedCall<Page, Given>,
  ...given: Given
): AsyncGenerator<Page, void> {
  const [input, ...options] = given
  const { query, ...others } = (input ?? {}) as { query?: object }
  let next: object | undefined = {}
  while (next) {
    // The operation's input, with the place of a page in its query.
    const asked = [{ ...others, query: { ...query, ...next } }, ...options] as unknown as Given
    const page: Page = await operation.call(...asked)
    yield page
    next = page.next === undefined ? undefined : { after: page.next }
  }
}

/**
 * The items of all pages: `for await (const order of itemsOf(api.listOrders))`. A page is requested
 * when it is needed.
 */
export async function* itemsOf<Item, Given extends readonly unknown[]>(
  operation: PagedCall<Paged & { readonly items: readonly Item[] }, Given>,
  ...given: Given
): AsyncGenerator<Item, void> {
  for await (const { items } of pagesOf(operation, ...given)) yield* items
}
