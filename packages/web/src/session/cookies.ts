/** Our cookies, by the name that they have without a prefix. */
export type CookieName =
  | 'svc_session'
  | 'svc_session_proof'
  | 'svc_csrf'
  | 'svc_mfa_pending'
  | 'svc_known'
  | 'svc_device_pending'
  | 'svc_oauth_pending'
  | `svc_${string}_setup`
  | `svc_oauth_csrf_${string}`
  | `svc_oauth_nonce_${string}`

interface Given {
  value: string
  maxAgeSeconds: number
}

/** The API's own host reads the one, a page's script the other, each under its plain name. */
const keepsItsName = (name: CookieName) => name === 'svc_csrf' || name.startsWith('svc_oauth_csrf_')

/** Reads and writes cookies. Over https they are Secure, and but for two this host's alone. */
export class Cookies {
  readonly isSecure: boolean

  constructor({ isSecure }: { isSecure: boolean }) {
    this.isSecure = isSecure
  }

  /**
   * What the browser sent under the name. A browser has one of each of ours, so beside a second one, which another host
   * of the domain may have planted, neither counts: it could sign a victim in as its planter.
   */
  valueOf(header: string | null, name: CookieName) {
    const values = this.valuesOf(header, name)
    return values.length === 1 ? (values[0] as string) : null
  }

  /** Every value that the browser sent under the name. */
  valuesOf(header: string | null, name: CookieName) {
    return cookieValues(header, this.#fullName(name))
  }

  set(name: CookieName, { value, maxAgeSeconds }: Given) {
    const [path, ...others] = this.#attributes(name)
    const maxAge = `Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}`
    return [`${this.#fullName(name)}=${value}`, path, maxAge, ...others].join('; ')
  }

  /** A cookie as a browser that watches it is told of it. */
  described(name: CookieName) {
    return { name: this.#fullName(name), attributes: this.#attributes(name).join('; ') }
  }

  clear(name: CookieName) {
    return this.set(name, { value: '', maxAgeSeconds: 0 })
  }

  #attributes(name: CookieName) {
    return [
      'Path=/',
      'SameSite=Lax',
      // The page's own script copies the token into a header.
      ...(name === 'svc_csrf' ? [] : ['HttpOnly']),
      ...(this.isSecure ? ['Secure'] : []),
    ]
  }

  /** Browsers take the prefix from this very host only, over https, and never from a subdomain. */
  #fullName(name: CookieName) {
    return this.isSecure && !keepsItsName(name) ? `__Host-${name}` : name
  }
}

/**
 * Every value under exactly this name. Only a browser's own spaces are taken off: before another kind of space a sibling
 * host can write `__Host-`, which the browser then takes for no prefix.
 */
export function cookieValues(header: string | null, name: string) {
  const start = `${name}=`
  return (header ?? '')
    .split(';')
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
}
