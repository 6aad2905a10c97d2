import { createHash } from 'node:crypto'
import type { Log } from '@svc/core'

export type IsBreached = (password: string) => Promise<boolean>

interface BreachedPasswordsOptions {
  /** The address that looks up the first five characters of a SHA-1. */
  url: string
  log: Pick<Log, 'warn'>
  fetch?: typeof globalThis.fetch
}

const longestWaitMillis = 1000

/**
 * Looks a password up in a public collection of leaks by k-anonymity: the collection learns five
 * characters of a hash, which hundreds of passwords share. Without a response a password passes,
 * because users must be able to set one while the collection is down.
 */
export function createBreachedPasswordLookup({
  url,
  log,
  fetch = globalThis.fetch,
}: BreachedPasswordsOptions): IsBreached {
  async function suffixes(prefix: string) {
    const answer = await fetch(`${url.replace(/\/$/, '')}/${prefix}`, {
      // Without padding, an observer of the connection could tell the prefix from the answer's
      // length.
      headers: { 'add-padding': 'true' },
      signal: AbortSignal.timeout(longestWaitMillis),
    })
    if (!answer.ok) throw new Error(`The lookup answered ${answer.status}.`)
    return answer.text()
  }

  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    try {
      return isListed(hash.slice(5), await suffixes(hash.slice(0, 5)))
    } catch (err) {
      log.warn(
        { err },
        'the list of breached passwords did not answer: a password was accepted without that check',
      )
      return false
    }
  }
}

/** Lines of `suffix:count`. Padding has the count 0. */
function isListed(suffix: string, lines: string) {
  return lines.split(/\r?\n/).some((line) => {
    const [listed, count] = line.split(':')
    return listed?.toUpperCase() === suffix && Number(count) > 0
  })
}
