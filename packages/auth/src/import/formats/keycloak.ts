import { fromBase64, toBase64 } from '../../passwords/passwords.ts'
import { type Fields, fieldsOf, listOf, objectOf, oppositeOf, textOf } from '../records.ts'
import type { Format } from './format.ts'

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

const algorithms: Record<string, string> = {
  pbkdf2: '$pbkdf2$',
  'pbkdf2-sha256': '$pbkdf2-sha256$',
  'pbkdf2-sha512': '$pbkdf2-sha512$',
}

/**
 * A credential as a PHC string. Releases since 8 store it in two members of JSON text; before, its
 * parts were separate members. If it has neither form, the result is a text that is refused as
 * unknown.
 */
function keycloakHash(credential: Fields): string {
  const secret = fieldsOf(objectOf(credential('secretData')) ?? {})
  const facts = fieldsOf(objectOf(credential('credentialData')) ?? {})
  const digest = base64Of(secret('value') ?? credential('hashedSaltedValue'))
  const salt = base64Of(secret('salt') ?? credential('salt'))
  const passes = textOf(facts('hashIterations') ?? credential('hashIterations'))
  const algorithm = textOf(facts('algorithm') ?? credential('algorithm')) ?? 'pbkdf2'
  if (algorithm !== 'argon2') return `${algorithms[algorithm] ?? ''}${passes}$${salt}$${digest}`
  const more = fieldsOf(objectOf(facts('additionalParameters')) ?? {})
  const [type, memory, lanes] = [more('type'), more('memory'), more('parallelism')].map(firstOf)
  // 1.3 is 19. Node supports no other.
  const version = firstOf(more('version')) === '1.3' ? 19 : 16
  return `$argon2${type}$v=${version}$m=${memory},t=${passes},p=${lanes}$${salt}$${digest}`
}

function base64Of(value: unknown) {
  const bytes = fromBase64(textOf(value) ?? '')
  return bytes ? toBase64(bytes) : ''
}

/** The first value: every parameter is a list with one. */
function firstOf(values: unknown) {
  return textOf(Array.isArray(values) ? values[0] : values)
}
