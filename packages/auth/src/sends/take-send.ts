import type { Identifier } from '../accounts/identifier.ts'
import { withAddress } from '../address-subject.ts'
import type { Needs } from '../auth.ts'
import type { SendContext } from '../configure-auth.ts'
import type { sendLimits } from './limits.ts'

interface Counted {
  identifier: Identifier
  purpose: SendContext['purpose']
  address: string | null
  isKnown: boolean
}

/**
 * Counts a message for its target. Strangers share one count, and known browsers of the account share another:
 * strangers can't use up the owner's. The narrow limits come first, so that a message that they refuse does not count
 * in the wide ones.
 */
export async function takeSend({ limits }: Needs<'limits'>, counted: Counted) {
  for (const [name, subject] of countsOf(counted)) await limits.take(name, subject)
}

type Count = [name: keyof typeof sendLimits, subject: string]

function countsOf({ identifier, purpose, address, isKnown }: Counted): Count[] {
  const { type, value } = identifier
  const atAddress = withAddress(value, address)
  if (isLink(purpose)) {
    if (isKnown) return [['link mails in a day by known browser', value]]
    return [
      ...requestsOf(purpose, value, atAddress),
      ['link mails in a day by target and address', atAddress],
      ['link mails in a day by target', value],
    ]
  }
  const codes: Count[] = isKnown
    ? [
        ['code send by known browser', value],
        ['codes in a day by known browser', value],
      ]
    : [
        ['code send by target and address', atAddress],
        ['codes in a day by target', value],
      ]
  return type === 'email' ? codes : [...codes, ...textsOf(value, isKnown)]
}

type LinkPurpose = 'signup_link' | 'password_reset_link' | `${string}/${string}`

function isLink(purpose: SendContext['purpose']): purpose is LinkPurpose {
  return purpose === 'signup_link' || purpose === 'password_reset_link' || purpose.includes('/')
}

/** A further capability counts its requests by limits of its own. */
function requestsOf(purpose: LinkPurpose, value: string, atAddress: string): Count[] {
  if (purpose !== 'signup_link' && purpose !== 'password_reset_link') return []
  const request = purpose === 'signup_link' ? 'signup request' : 'reset request'
  return [
    [`${request} by target and address`, atAddress],
    [`${request} by target`, value],
  ]
}

// One count for all instances.
const everybody = 'everybody'

/** Text messages cost money, so the whole server has a limit too. A fifth of it is reserved for known browsers. */
function textsOf(number: string, isKnown: boolean): Count[] {
  const own: Count[] = isKnown
    ? [
        ['texts in an hour by known browser', number],
        ['texts in a day by known browser', number],
      ]
    : [
        ['texts in an hour by target', number],
        ['texts in a day by target', number],
        ['texts in a day by strangers', everybody],
      ]
  return [...own, ['texts in a day by server', everybody]]
}
