import { Resolver } from 'node:dns/promises'
import { displayText } from '@svc/auth/server'
import type { DomainFailure } from '../membership/errors.ts'
import type { OrganizationHeld } from '../membership/membership.ts'

// A label with an underscore is no host. To set it takes the DNS of the domain, and not only a web page there.
const prefix = '_svc-challenge.'
// A name of DNS has at most 253 characters.
export const longestDomain = 253 - prefix.length

export interface Challenge {
  readonly domain: string
  readonly challenge: string
}

/** The TXT record that proves a domain. */
export const recordOf = ({ domain, challenge }: Challenge) => ({
  name: `${prefix}${domain}`,
  value: challenge,
})

interface Missed {
  readonly failure: DomainFailure
  readonly lookedUp: string
  readonly found: string[]
}

// Other TXT records may be private, so only the beginning of a few is shown.
const mostShown = 5
const longestShown = 100

/** Null if the record is there. Otherwise what was found in its place. */
export async function missedBy(
  auth: Pick<OrganizationHeld, 'dnsResolver' | 'log'>,
  wanted: Challenge,
): Promise<Missed | null> {
  const { name: lookedUp, value } = recordOf(wanted)
  const texts = await textsAt(auth, lookedUp)
  if (texts === null) return { failure: 'no-answer', lookedUp, found: [] }
  if (texts.some((text) => text.trim() === value)) return null
  const found = texts.slice(0, mostShown).flatMap((text) => displayText(text, longestShown) ?? [])
  return { failure: found.length === 0 ? 'missing' : 'different', lookedUp, found }
}

// The name does not exist, or has no TXT records. All other failures are no answer.
const isAbsent = (code: unknown) => code === 'ENOTFOUND' || code === 'ENODATA'

/** The TXT records of a name. Null if its servers do not answer. */
async function textsAt(
  { dnsResolver, log }: Pick<OrganizationHeld, 'dnsResolver' | 'log'>,
  name: string,
) {
  try {
    const records = await (dnsResolver ? dnsResolver.resolveTxt(name) : resolveHere(name))
    // A text of more than 255 bytes comes in parts.
    return records.map((parts) => parts.join(''))
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (isAbsent(code)) return []
    // One name that fails must not stop the checks of all others.
    log.warn({ err: error, name }, 'a TXT record could not be looked up')
    return null
  }
}

/** A new resolver each time: it knows the name servers of now, and has remembered no answer. */
async function resolveHere(name: string) {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  // Each of the machine's name servers may be silent.
  const timer = setTimeout(() => resolver.cancel(), 5000)
  try {
    return await resolver.resolveTxt(name)
  } finally {
    clearTimeout(timer)
  }
}
