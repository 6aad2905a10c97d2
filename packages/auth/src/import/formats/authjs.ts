import { fieldsOf, listOf } from '../records.ts'
import type { Format } from './format.ts'

/**
 * The tables `User` and `Account`. Auth.js stores no password; applications do, in a column of the
 * user.
 */
export const authjs: Format = (fields) => ({
  externalId: fields('id'),
  email: fields('email'),
  emailVerified: fields('emailVerified'),
  displayName: fields('name'),
  avatarUrl: fields('image'),
  createdAt: fields('createdAt'),
  passwordHash: fields('passwordHash', 'hashedPassword', 'password'),
  accounts: listOf(fields('accounts', 'account')).map((account) => {
    const of = fieldsOf(account)
    return { provider: of('provider'), id: of('providerAccountId') }
  }),
})
