import { DatabaseConnectionError } from './errors.ts'

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/
const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/
const target = /([?&])target_session_attrs=([^&#]*)(&?)/

/** The values that a server which writes may ask for. All mean the same here. */
const writable = /^(?:read-write|primary|any)$/

/**
 * The address with its hosts before the path. A folder with a socket is often given as `?host=/cloudsql/…`, with no host
 * before the path: `URL` refuses that, and the driver takes several such hosts for one.
 */
export function hostsBeforePath(url: string): string {
  const [, before = '', place = '', path = '', query = ''] = parts.exec(url) ?? []
  const given = new URLSearchParams(query)
  const hosts = given.get('host')
  // A single one beside a host is clear to both readers.
  if (!hosts || (place && !hosts.includes(','))) return url
  const ports = given.get('port')?.split(',') ?? place.split(',').map(portOf)
  const list = hosts.split(',').map((host, at) => {
    const port = ports[at] ?? (ports.length === 1 ? ports[0] : '')
    return encodedHost(host) + (port && `:${port}`)
  })
  const others = query.split('&').filter((each) => !/^(?:host|port)=/.test(each))
  return before + list.join(',') + path + (others.length > 0 ? `?${others.join('&')}` : '')
}

const portOf = (place: string) => /:(\d+)$/.exec(place)?.[1] ?? ''

function encodedHost(host: string) {
  if (host.startsWith('/')) return encodeURIComponent(host)
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/**
 * One URL for each of several hosts, as the driver reads it. Null if there is only one host, and no
 * condition on it.
 */
export function hostsOf(url: string): readonly string[] | null {
  const [, before = '', list = '', after = ''] = severalHosts.exec(hostsBeforePath(url)) ?? []
  const wanted = target.exec(after)?.[2]
  if (!list.includes(',') && wanted === undefined) return null
  if (wanted !== undefined && !writable.test(wanted)) {
    throw new DatabaseConnectionError(
      'target_session_attrs in the address of the database must be read-write, because the server writes.',
    )
  }
  const rest = after.replace(target, (_all, sign: string, _wanted, more: string) => more && sign)
  return list.split(',').map((host) => before + host + rest)
}
