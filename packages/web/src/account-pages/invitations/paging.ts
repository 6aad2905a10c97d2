/** The page that an address asks for; the first when it asks for none that could be. */
export function pageNumber(text: string | string[] | null | undefined) {
  return typeof text === 'string' && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}
