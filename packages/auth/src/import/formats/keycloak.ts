import { fieldsOf, listOf, objectOf } from '../records.ts'
import { oppositeOf, textOf } from '../values.ts'
import type { Format } from './format.ts'
import { keycloakHash } from './keycloak-hash.ts'

/** The users of a realm's export. */
export const keycloak: Format = (fields) => {
  if (fields('serviceAccountClientId', 'serviceAccountClientLink') !== undefined) {
    return 'not_a_person'
  }
  const attributes = fieldsOf(objectOf(fields('attributes')) ?? {})
  const credential = listOf(fields('credentials')).find(
    (each) => fieldsOf(each)('type') === 'password',
  )
  return {
    externalId: fields('id'),
    email: fields('email'),
    emailVerified: fields('emailVerified'),
    phone: first(attributes('phoneNumber', 'phone')),
    phoneVerified: first(attributes('phoneNumberVerified')),
    username: fields('username'),
    displayName: [fields('firstName'), fields('lastName')].map(textOf).filter(Boolean).join(' '),
    firstName: fields('firstName'),
    lastName: fields('lastName'),
    locale: first(attributes('locale')),
    createdAt: fields('createdTimestamp'),
    suspended: oppositeOf(fields('enabled')),
    passwordHash: credential && keycloakHash(fieldsOf(credential)),
    accounts: listOf(fields('federatedIdentities')).map((identity) => {
      const of = fieldsOf(identity)
      return { provider: of('identityProvider'), id: of('userId') }
    }),
  }
}

function first(values: unknown): unknown {
  return Array.isArray(values) ? values[0] : values
}
