import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares with a secret. Hashing first makes the lengths equal, so that time tells nothing of them either. */
export function equal(a: string, b: string) {
  return timingSafeEqual(digest(a), digest(b))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
