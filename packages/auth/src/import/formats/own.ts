import { BUILTIN_PROVIDERS } from '../../providers/fields.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../records.ts'
import type { Format } from './format.ts'

/** Our own: the names of an account's members, and in a table a column for each provider. */
export const own: Format = (fields) => {
  const status = statusOf(fields)
  if (status === 'deleted') return 'deleted'
  if (status !== 'active' && status !== 'suspended') return 'flag_unknown'
  return {
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
    suspended: status === 'suspended' || fields('suspended'),
    passwordHash: fields('passwordHash'),
    accounts: accountsOf(fields),
  }
}

function statusOf(fields: Fields) {
  const status = fields('status')
  return status === undefined ? 'active' : textOf(status)?.toLowerCase()
}

function accountsOf(fields: Fields) {
  return [
    ...BUILTIN_PROVIDERS.map((provider) => ({ provider, id: fields(provider) })),
    ...listOf(fields('accounts')).map((account) => {
      const of = fieldsOf(account)
      return { provider: of('provider'), id: of('id', 'sub', 'providerUserId') }
    }),
  ]
}
