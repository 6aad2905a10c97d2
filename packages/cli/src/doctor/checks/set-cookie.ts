export interface SetCookie {
  name: string
  value: string
  /** By their names in lower case. A flag has an empty text. */
  attributes: ReadonlyMap<string, string>
  /** The header without the value, which is a secret. */
  shown: string
}

/** Reads a `Set-Cookie` header as a browser does (RFC 6265, section 5.2). */
export function readSetCookie(header: string): SetCookie {
  const [pair = '', ...rest] = header.split(';')
  const [name, value] = halves(pair)
  const attributes = rest.map(halves).map(([key, text]) => [key.toLowerCase(), text] as const)
  return { name, value, attributes: new Map(attributes), shown: [`${name}=…`, ...rest].join(';') }
}

function halves(text: string): [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

const nonceName = 'svc_oauth_csrf_'

/** The callback compares this one with the state. */
export const isNonce = ({ name }: SetCookie) => name.startsWith(nonceName)

/** The browser finishes the sign-in with this one. */
export const isPending = ({ name }: SetCookie) => /^(?:__Host-)?svc_oauth_pending$/.test(name)

/**
 * Its name contains the port of the web app that sets it, because browsers share cookies between
 * ports.
 */
export function nonceNameAt({ port, protocol }: URL) {
  return `${nonceName}${port || (protocol === 'https:' ? '443' : '80')}`
}
