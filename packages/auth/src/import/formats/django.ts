import { oppositeOf, textOf } from '../records.ts'
import type { Format } from './format.ts'

/** The table `auth_user`. It does not know which addresses are proved. */
export const django: Format = (fields) => {
  const password = textOf(fields('password'))
  const name = [fields('firstName'), fields('lastName')].map(textOf).filter(Boolean).join(' ')
  return {
    externalId: fields('id'),
    email: fields('email'),
    username: fields('username'),
    displayName: name,
    firstName: fields('firstName'),
    lastName: fields('lastName'),
    createdAt: fields('dateJoined'),
    suspended: oppositeOf(fields('isActive')),
    // Django marks an unusable password with this prefix.
    ...(password !== undefined && !password.startsWith('!') && { passwordHash: password }),
  }
}
