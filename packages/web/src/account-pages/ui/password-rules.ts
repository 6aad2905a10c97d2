import type { WeakPasswordError } from '@svc/auth'
import type { AccountSentence } from '../words/account-words.ts'
import type { Say } from '../words/say.ts'

type Reason = WeakPasswordError['reasons'][number]

/** Told before anything is refused. */
export function passwordRule(say: Say) {
  return say('Use 8 to 256 characters. Don’t choose a common password.')
}

const sentences: Record<Reason, AccountSentence> = {
  too_short: 'It has fewer than 8 characters.',
  too_long: 'It has more than 256 characters.',
  common: 'It is too easy to guess.',
  account_name: 'It is your email or your username.',
  breached: 'It is in a public list of leaked passwords.',
}

/** Why a password was not taken, in sentences. */
export function weakPasswordWords(say: Say, { reasons }: Pick<WeakPasswordError, 'reasons'>) {
  // A newer API may know a reason that this page does not.
  const known = reasons
    .map((reason) => sentences[reason])
    .filter(Boolean)
    .map((each) => say(each))
  return [
    ...(known.length > 0 ? known : [say('It is not safe enough.')]),
    say('Choose another one.'),
  ].join(' ')
}
