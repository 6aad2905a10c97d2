import type { Say } from '@svc/web/account'
import type { OrganizationDomainUnprovedError } from '../../membership/errors.ts'
import type { Domain } from '../organization-api.ts'
import type { OrganizationSentence } from '../words/organization-words.ts'

/** `missing` is proved still, and `ended` was proved before. */
export type DomainState = 'waiting' | 'proved' | 'missing' | 'ended'

type Times = Pick<Domain, 'verifiedAt' | 'lastCheckedAt' | 'endsAt'>

export function stateOf({ verifiedAt, lastCheckedAt, endsAt }: Times, now: number): DomainState {
  if (verifiedAt === undefined) return lastCheckedAt === undefined ? 'waiting' : 'ended'
  if (endsAt === undefined) return 'proved'
  // The job that ends a proof may be late. No one can join meanwhile.
  return Date.parse(endsAt) > now ? 'missing' : 'ended'
}

const failures = {
  missing:
    'There is no TXT record at {name} yet. It can take an hour until DNS has a new one. Check again then.',
  different:
    'No TXT record at {name} has the value of this domain. Found: {found}. It can take an hour until DNS has a new one.',
  'no-answer': 'The name servers of {name} don’t answer. Try again later.',
} as const

type Unproved = Pick<OrganizationDomainUnprovedError, 'failure' | 'lookedUp' | 'found'>

/** Where the record was looked for, what was there instead, and what to do. */
export function unprovedWords(
  say: Say<OrganizationSentence>,
  { failure, lookedUp, found }: Unproved,
): string {
  // An API of a later version may know more failures.
  const sentence = Object.hasOwn(failures, failure) ? failures[failure] : failures.missing
  const list = new Intl.ListFormat(say.locale, { type: 'unit' })
  return say(sentence, { name: lookedUp, found: list.format(found.map((text) => `“${text}”`)) })
}
