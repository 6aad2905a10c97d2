import type { WeakPasswordError } from '@svc/auth'

type Reason = WeakPasswordError['reasons'][number]

/** Told before anything is refused. */
export const passwordRule = '8 to 256 characters of any kind, and not one that many people use.'

const sentences: Record<Reason, string> = {
  too_short: 'It is too short: give at least 8 characters.',
  too_long: 'It is too long: give at most 256 characters.',
  common: 'It is one of the first that guessing tries.',
  account_name: 'It is the email or the username of the account.',
  breached: 'It is in a public collection of leaked passwords.',
}

/** Why a password was not taken, in sentences. */
export function weakPasswordWords({ reasons }: Pick<WeakPasswordError, 'reasons'>) {
  // A newer API may know a reason that this page does not.
  const known = reasons.map((reason) => sentences[reason]).filter(Boolean)
  return known.length > 0 ? known.join(' ') : 'This password is not safe enough.'
}
