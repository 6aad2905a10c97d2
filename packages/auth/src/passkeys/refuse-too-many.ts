import { ConflictError } from '@svc/core'

// One for each device of somebody with many, and few enough for the list that every authenticator gets of them.
const mostPasskeys = 50

export function refuseTooMany(count: number) {
  if (count < mostPasskeys) return
  const message = `An account has ${mostPasskeys} passkeys at most: take one away first.`
  throw new ConflictError({ message })
}
