/** What Next gives a page of its address. */
export type AddressQuery = Record<string, string | string[] | undefined>

/** The text that an address has under a name, cut at its limit; empty where it has none. */
export function textOf(query: AddressQuery, name: string, longest: number) {
  const value = query[name]
  return typeof value === 'string' ? value.trim().slice(0, longest) : ''
}
