export interface Place {
  request: Request
  isSecure: boolean
}

interface Given {
  value: string
  maxAgeSeconds: number
  sameSite: 'Strict' | 'Lax'
}

/** A cookie for the page that is asked for, and no other. */
export function pageCookie(
  { request, isSecure }: Place,
  name: string,
  { value, maxAgeSeconds, sameSite }: Given,
) {
  // A `;` is a character like any other in a path, and would begin an attribute here.
  const path = new URL(request.url).pathname.replaceAll(';', '%3B')
  const flags = `Path=${path}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
  return `${pageCookieName(isSecure, name)}=${value}; Max-Age=${maxAgeSeconds}; ${flags}`
}

/** The prefix `__Host-` would want the whole host. Browsers take `__Secure-` over https only. */
export function pageCookieName(isSecure: boolean, name: string) {
  return isSecure ? `__Secure-${name}` : name
}
