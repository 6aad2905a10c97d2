import type { MfaStatus } from '@svc/auth'
import type { Say } from '../words/say.ts'

const names = { totp: 'an authenticator app', passkey: 'a passkey' } as const

export function methodsInWords(say: Say, methods: MfaStatus['methods']) {
  return new Intl.ListFormat(say.locale, { type: 'disjunction' }).format(
    methods.map((method) => say(names[method])),
  )
}

/** So few codes remain that it is time for others. */
export function isToRefill(remaining: number) {
  return remaining <= 3
}

export function codesLeft(say: Say, remaining: number) {
  if (remaining === 0) return say('You have none. Create some while you can still sign in.')
  const left =
    remaining === 1 ? say('Only one is left.') : say('{remaining} are left.', { remaining })
  return isToRefill(remaining) ? `${left} ${say('Create new ones soon.')}` : left
}
