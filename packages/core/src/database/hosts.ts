import { DatabaseConnectionError } from './errors.ts'

const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/
const target = /([?&])target_session_attrs=([^&#]*)(&?)/

/** What a server that writes may ask for; all mean the same here. */
const writable = /^(?:read-write|primary|any)$/

/**
 * The addresses that one of several hosts stands for, each of one host, as the driver reads it. Null where there is
 * only one, and nothing is said of what it has to be.
 */
export function hostsOf(url: string): readonly string[] | null {
  const [, before = '', list = '', after = ''] = severalHosts.exec(url) ?? []
  const wanted = target.exec(after)?.[2]
  if (!list.includes(',') && wanted === undefined) return null
  if (wanted !== undefined && !writable.test(wanted)) {
    throw new DatabaseConnectionError(
      'target_session_attrs in the address of the database has to be read-write: the server writes.',
    )
  }
  const rest = after.replace(target, (_all, sign: string, _wanted, more: string) => more && sign)
  return list.split(',').map((host) => before + host + rest)
}
