import { domainToASCII } from 'node:url'
import { ValidationError } from '@svc/core/contract'

/** What an account is known by to those who sign in, in the one form that is stored and compared. */
export interface Identifier {
  readonly type: 'email' | 'phone'
  readonly value: string
}

/** Reads the one of the two that was given. */
export function readIdentifier({
  email,
  phone,
}: {
  email?: string | undefined
  phone?: string | undefined
}): Identifier {
  if (email !== undefined && phone === undefined) {
    return { type: 'email', value: normaliseEmail(email) }
  }
  if (phone !== undefined && email === undefined) {
    return { type: 'phone', value: normalisePhone(phone) }
  }
  throw invalid('body', 'Give either an email or a phone.')
}

export function readTarget(target: string, type: 'email' | 'phone'): Identifier {
  return readIdentifier({ [type]: target })
}

// RFC 5321: 254 characters are the longest path that fits an SMTP command.
const longestEmail = 254
const localPart = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}$/u

/** One form of an address, so that two spellings of it are never two accounts. */
export function normaliseEmail(given: string) {
  // NFKC first: a full-width ＠ or a ligature must not become something else after the check.
  const address = given.trim().normalize('NFKC').toLowerCase()
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = domainToASCII(address.slice(at + 1))
  const normal = `${local}@${domain}`
  const isAddress =
    localPart.test(local) &&
    /^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/.test(domain) &&
    !/^[.]|\.\.|\.$/.test(local)
  if (isAddress && normal.length <= longestEmail) return normal
  throw invalid('body.email', 'Give one email address of at most 254 characters.')
}

/** E.164, as people write it: spaces, dashes and parentheses are left out. */
export function normalisePhone(given: string) {
  const number = given.normalize('NFKC').replace(/[\s().-]/g, '')
  if (/^\+[1-9]\d{6,14}$/.test(number)) return number
  throw invalid('body.phone', 'Give a phone number with its country code, such as +12025550123.')
}

function invalid(path: string, message: string) {
  return new ValidationError({ fields: [{ path, message }] })
}
