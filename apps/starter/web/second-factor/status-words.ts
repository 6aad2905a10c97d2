import type { MfaStatus } from '@svc/auth'

const names = { totp: 'an authenticator app', passkey: 'a passkey' }

export function methodsInWords(methods: MfaStatus['methods']) {
  return methods.map((method) => names[method]).join(' or ')
}

/** So few codes remain that it is time for others. */
export function isToRefill(remaining: number) {
  return remaining <= 3
}

export function codesLeft(remaining: number) {
  if (remaining === 0) return 'You have none. Create some while you can still sign in.'
  const left = remaining === 1 ? 'Only one is left' : `${remaining} are left`
  return isToRefill(remaining) ? `${left}. Create new ones soon.` : `${left}.`
}
