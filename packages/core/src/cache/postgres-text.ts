const begin = '\u0001'
const nul = `${begin}0`
const itself = `${begin}1`

/**
 * PostgreSQL's text holds every character but NUL. NUL becomes a pair of characters, and so does
 * the character that begins a pair.
 */
export function storable(text: string) {
  return text.replaceAll(begin, itself).replaceAll('\0', nul)
}

export function restored(text: string) {
  return text.replaceAll(nul, '\0').replaceAll(itself, begin)
}
