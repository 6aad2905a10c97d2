// Control characters would break a log or a terminal; the others turn text around and hide what it says.
const inert = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]+/gu

/** Text that a device sent for people to look at, made harmless; null when nothing is left of it. */
export function displayText(text: string | undefined, limit: number) {
  return text?.replace(inert, ' ').trim().slice(0, limit).toWellFormed() || null
}
