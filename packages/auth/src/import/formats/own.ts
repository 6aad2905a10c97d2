import { BUILTIN_PROVIDERS } from '../../providers/social-providers.ts'
import { fieldsOf, listOf } from '../records.ts'
import type { Format } from './format.ts'

/** Our own: the names of an account's members, and in a table a column for each provider. */
export const own: Format = (fields) => ({
  externalId: fields('externalId', 'id'),
  email: fields('email'),
  emailVerified: fields('emailVerified', 'emailVerifiedAt'),
  phone: fields('phone', 'phoneNumber'),
  phoneVerified: fields('phoneVerified', 'phoneVerifiedAt'),
  username: fields('username'),
  displayName: fields('displayName', 'name'),
  firstName: fields('firstName'),
  lastName: fields('lastName'),
  avatarUrl: fields('avatarUrl', 'image'),
  locale: fields('locale'),
  createdAt: fields('createdAt'),
  role: fields('role'),
  suspended: fields('suspended'),
  passwordHash: fields('passwordHash'),
  accounts: [
    ...BUILTIN_PROVIDERS.map((provider) => ({ provider, id: fields(provider) })),
    ...listOf(fields('accounts')).map((account) => {
      const of = fieldsOf(account)
      return { provider: of('provider'), id: of('id', 'sub', 'providerUserId') }
    }),
  ],
})
