import type { Variable } from '@svc/core'
import { credentialsOf, isLoopback, type LocalUrl, localUrl } from '../delivery/delivery.ts'

export interface SmsGateway {
  to: 'https'
  /** Without the secret. `http:` is allowed on loopback only. */
  url: URL
  secret: string
}

export type SmsUrl = SmsGateway | LocalUrl

const problem =
  'must be https://name:secret@host/path, file:<dir>, console: or none, ' +
  'with special characters of the secret percent-encoded'

export const smsUrl: Variable<SmsUrl | undefined> = (given) => {
  if (given === undefined) return { value: undefined }
  const value = localUrl(given) ?? smsGateway(given)
  return value === null ? { problem } : { value }
}

function smsGateway(given: string): SmsGateway | null {
  const url = URL.parse(given)
  if (url === null || !isPrivate(url)) return null
  const secret = credentialsOf(url)?.pass
  if (!secret) return null
  url.username = ''
  url.password = ''
  url.hash = ''
  return { to: 'https', url, secret }
}

function isPrivate({ protocol, hostname }: URL) {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/**
 * The prefixes of numbers to which text messages may be sent, without the plus; `*` for any number.
 */
export type SmsCountries = '*' | readonly string[]

const countriesProblem =
  'must be a list of calling codes, such as 82,44,1, or * for every country; ' +
  'a code with an area code, such as 1212, allows only that part of a country'

export const smsCountries: Variable<SmsCountries | undefined> = (given) => {
  if (given === undefined) return { value: undefined }
  if (given.trim() === '*') return { value: '*' }
  const codes = given.split(',').map((code) => code.trim().replace(/^\+/, ''))
  return codes.every((code) => /^[1-9]\d{0,6}$/.test(code))
    ? { value: codes }
    : { problem: countriesProblem }
}

/** Whether a number in E.164 format is in one of them. */
export function isInCountries(number: string, countries: SmsCountries) {
  return countries === '*' || countries.some((code) => number.startsWith(`+${code}`))
}
