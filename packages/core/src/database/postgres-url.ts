import { newClient } from './client.ts'
import { DatabaseConnectionError } from './errors.ts'
import { hostsBeforePath, hostsOf } from './hosts.ts'

/** The address in a form that all our readers accept. */
export function checkPostgresUrl(given: string, variable = 'DATABASE_URL') {
  const url = hostsBeforePath(given)
  const isUnderstood = (hostsOf(url) ?? [url]).every((each) => {
    const { protocol = '', pathname = '' } = URL.parse(each) ?? {}
    return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1 && isReadable(each)
  })
  if (isUnderstood) return url
  // The parser's own error would repeat the URL, and the password in it.
  throw new DatabaseConnectionError(
    variable === 'DATABASE_URL'
      ? 'DATABASE_URL is not understood: write postgres://user:password@host:5432/database (special characters percent-encoded; for a socket, ?host=/folder behind the database) or embedded:<directory>.'
      : `${variable} is not understood: write postgres://user:password@host:5432/database (special characters percent-encoded; for a socket, ?host=/folder behind the database).`,
  )
}

/** For one host only: of several, the one that accepts writes would be chosen. */
export function checkReplicaUrl(given: string) {
  const url = checkPostgresUrl(given, 'DATABASE_URL_REPLICA')
  if (hostsOf(url) === null) return url
  throw new DatabaseConnectionError(
    'DATABASE_URL_REPLICA names one host, without target_session_attrs: put a balancer before several replicas.',
  )
}

/** `pg` reads the URL when a client is made, not when it connects. */
function isReadable(connectionString: string) {
  try {
    return Boolean(newClient({ connectionString }))
  } catch {
    return false
  }
}
