import { ValidationError } from '@svc/core/contract'
import { asciiDomain } from './client.ts'

/** What a user signs in with, in the one form that is stored and compared. */
export interface Identifier {
  readonly type: 'email' | 'phone'
  readonly value: string
}

interface Given {
  email?: string | undefined
  phone?: string | undefined
}

/** Reads the one of the two that was given. */
export function readIdentifier({ email, phone }: Given): Identifier {
  if (email !== undefined && phone === undefined) return readTarget(email, 'email', 'body.email')
  if (phone !== undefined && email === undefined) return readTarget(phone, 'phone', 'body.phone')
  throw invalid('body', 'Enter either an email address or a phone number.')
}

export function readTarget(
  target: string,
  type: 'email' | 'phone',
  path = 'body.target',
): Identifier {
  const value = type === 'email' ? normaliseEmail(target, path) : normalisePhone(target, path)
  return { type, value }
}

/** What an account can be found by. */
export function identifiersOf({ email, phone }: { email: string | null; phone: string | null }) {
  const identifiers: Identifier[] = []
  if (email !== null) identifiers.push({ type: 'email', value: email })
  if (phone !== null) identifiers.push({ type: 'phone', value: phone })
  return identifiers
}

// RFC 5321: 254 characters are the longest path that fits an SMTP command.
const longestEmail = 254
const localPart = /^[^\s@<>()[\]\\,;:"\p{C}\p{Default_Ignorable_Code_Point}]{1,64}$/u
const misplacedDot = /^\.|\.\.|\.$/

/** One form of an address, so that two spellings of it are never two accounts. */
export function normaliseEmail(given: string, path = 'body.email') {
  // NFKC first: a full-width ＠ or a ligature must not become something else after the check. It
  // runs a second time after lower-casing, which can leave what NFKC would still compose.
  const address = given.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
  const [local = '', domain = '', ...more] = address.split('@')
  const ascii = asciiDomain(domain)
  const normal = `${local}@${ascii}`
  const isOne = more.length === 0 && localPart.test(local) && !misplacedDot.test(local)
  if (isOne && ascii !== '' && normal.length <= longestEmail) return normal
  throw invalid(path, 'Enter one valid email address of at most 254 characters.')
}

/** E.164, as people write it: spaces, dashes and parentheses are left out. */
export function normalisePhone(given: string, path = 'body.phone') {
  const number = given.normalize('NFKC').replace(/[\s().-]/g, '')
  if (/^\+[1-9]\d{6,14}$/.test(number)) return number
  throw invalid(path, 'Give a phone number with its country code, such as +12025550123.')
}

function invalid(path: string, message: string) {
  return new ValidationError({ fields: [{ path, message }] })
}

interface Named {
  readonly email: string | null
  readonly phone: string | null
  readonly username: string | null
  readonly publicId: string
}

/**
 * The name by which users can tell their accounts here apart, in a passkey provider or an
 * authenticator app.
 */
export function accountName({ email, phone, username, publicId }: Named) {
  return email ?? phone ?? username ?? publicId
}
