// Control characters would break a log or a terminal; the others reverse text or hide part of it.
const inert = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]+/gu

/** Text that a device sent for people to read, made harmless; null if nothing is left of it. */
export function displayText(text: string | undefined, limit: number) {
  return text?.replace(inert, ' ').trim().slice(0, limit).toWellFormed() || null
}
