import { fieldsOf, isPast, listOf } from '../records.ts'
import type { Format } from './format.ts'

/** The tables `user` and `account`: the password is that of the account `credential`. */
export const betterAuth: Format = (fields, { now }) => {
  const accounts = listOf(fields('accounts', 'account')).map(fieldsOf)
  const credential = accounts.find((of) => of('providerId') === 'credential')
  return {
    externalId: fields('id'),
    email: fields('email'),
    emailVerified: fields('emailVerified'),
    phone: fields('phoneNumber'),
    phoneVerified: fields('phoneNumberVerified'),
    username: fields('username'),
    displayName: fields('name'),
    avatarUrl: fields('image'),
    createdAt: fields('createdAt'),
    suspended: isPast(fields('banExpires'), now) ? false : fields('banned'),
    passwordHash: credential?.('password'),
    accounts: accounts
      .filter((of) => of !== credential)
      .map((of) => ({ provider: of('providerId'), id: of('accountId') })),
  }
}
