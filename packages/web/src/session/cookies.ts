/** Our cookies, by their names without a prefix. */
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

/** The API's own host reads one of them, a page's script the other, each under its plain name. */
const keepsItsName = (name: CookieName) => name === 'svc_csrf' || name.startsWith('svc_oauth_csrf_')

/** Reads and writes cookies. Over https they are Secure, and all but two are for this host only. */
export class Cookies {
  readonly isSecure: boolean

  constructor({ isSecure }: { isSecure: boolean }) {
    this.isSecure = isSecure
  }

  /**
   * The value of a cookie. A browser has only one of each of ours. If there are two, another host
   * of the domain may have planted one to sign a victim in as the attacker, so neither counts.
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

  /** A cookie, described for a browser that watches it. */
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

  /**
   * Browsers accept this prefix only from this very host, over https, and never from a subdomain.
   */
  #fullName(name: CookieName) {
    return this.isSecure && !keepsItsName(name) ? `__Host-${name}` : name
  }
}

/**
 * Every value with exactly this name. Only the spaces that a browser adds are removed. With another
 * kind of space before it, a sibling host can write `__Host-`, which the browser doesn't treat as a
 * prefix then.
 */
export function cookieValues(header: string | null, name: string) {
  const start = `${name}=`
  return (header ?? '')
    .split(';')
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
}
