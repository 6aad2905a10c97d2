// 64 characters of base64, or digits in an application from before May 2021; url-safe letters cost nothing.
const pattern = /^[A-Za-z0-9+/=_-]{1,64}$/
const placeholders = new Set(['null', 'undefined', 'NaN'])

/** Somebody's id in one application of Naver's: never anybody else's, and another one in any other application. */
export function isNaverUserId(id: unknown): id is string {
  return typeof id === 'string' && pattern.test(id) && !placeholders.has(id)
}
