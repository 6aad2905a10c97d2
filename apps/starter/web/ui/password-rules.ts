import type { WeakPasswordError } from '@svc/auth'

type Reason = WeakPasswordError['reasons'][number]

/** Told before anything is refused. */
export const passwordRule = 'Use 8 to 256 characters. Don’t choose a common password.'

const sentences: Record<Reason, string> = {
  too_short: 'It has fewer than 8 characters.',
  too_long: 'It has more than 256 characters.',
  common: 'It is too easy to guess.',
  account_name: 'It is your email or your username.',
  breached: 'It is in a public list of leaked passwords.',
}

/** Why a password was not taken, in sentences. */
export function weakPasswordWords({ reasons }: Pick<WeakPasswordError, 'reasons'>) {
  // A newer API may know a reason that this page does not.
  const known = reasons.map((reason) => sentences[reason]).filter(Boolean)
  return [...(known.length > 0 ? known : ['It is not safe enough.']), 'Choose another one.'].join(
    ' ',
  )
}
