/**
 * Not for a caller to say: who they are, where they come from, what the web app vouches for, and how the message is
 * sent. The last are also those that fetch refuses, which would look like an API that is down.
 */
const notTheirs =
  /^(?:authorization|cookie2?|host|forwarded|via|expect|te|trailer|upgrade|connection|keep-alive|x-rewrite-url|x-request-id|.*-ip|(?:content|transfer|proxy|x-forwarded|x-http-method|x-middleware|x-original|x-svc)-.*)$/

/** What the API gets to see of the browser: three of its headers, and what an operation takes as headers. */
export function forwardedHeaders(browser: Headers, given: Record<string, unknown> = {}) {
  // Without a prototype: a caller's `__proto__` is a name like any other here, and no header.
  const headers: Record<string, unknown> = Object.create(null)
  for (const name of ['accept', 'accept-language', 'user-agent']) {
    const value = browser.get(name)
    if (value !== null) headers[name] = value
  }
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase()
    if (!notTheirs.test(key)) headers[key] = value
  }
  return headers
}
