/** Support sessions are off unless the variable is `code`: then each needs a code from the owner of the account. */
export function supportOptions({ SUPPORT_SESSIONS } = process.env) {
  return SUPPORT_SESSIONS === 'code' ? ({ support: { consent: 'code' } } as const) : {}
}

/** Where the web app is: its pages open streams straight here. */
export function webOrigins({ NEXT_PUBLIC_SVC_APP_URL, SVC_APP_URL } = process.env) {
  const url = NEXT_PUBLIC_SVC_APP_URL ?? SVC_APP_URL ?? 'http://localhost:3790'
  // An invalid address is reported when the server starts, with all the other variables.
  if (!URL.canParse(url)) return []
  const { origin, hostname } = new URL(url)
  // People take these two for the same page, but browsers don't.
  return hostname === 'localhost' ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin]
}
