/**
 * What a reader is likely to look for comes first: how to do a thing, before why it was decided. The search calls this
 * in the browser with a page's path, from the text of the function. So it uses nothing outside of itself.
 */
export function boostDocument(path: string) {
  if (/^\/(start|guide|recipes)\/|^\/tutorial/.test(path)) return 2
  if (/^\/(decisions|specification)\/|^\/(changelog|upgrading)/.test(path)) return 0.3
  // Each export has its own heading, so their names would be found before what explains them.
  if (path.startsWith('/reference/exports/')) return 0.5
  return 1
}
