import type { Variable } from '@svc/core'
import { credentialsOf, isMailAddress, type LocalUrl, localUrl } from '../delivery/delivery.ts'

export interface SmtpServer {
  to: 'smtp'
  host: string
  port: number
  /** TLS from the first byte. */
  secure: boolean
  /** What may be missing: with `optional`, a trusted certificate and STARTTLS; with `off`, TLS. */
  tls?: 'optional' | 'off'
  auth?: { user: string; pass: string }
}

export type MailUrl = SmtpServer | LocalUrl

const problem =
  'must be smtp://user:password@host:port (or smtps:), file:<dir>, console: or none, ' +
  'with special characters of the password percent-encoded; ' +
  'smtp: takes ?tls=optional or ?tls=off where the server has no TLS'

export const mailUrl: Variable<MailUrl | undefined> = (given) => {
  if (given === undefined) return { value: undefined }
  const value = localUrl(given) ?? smtpServer(given)
  return value === null ? { problem } : { value }
}

function smtpServer(given: string): SmtpServer | null {
  const url = URL.parse(given)
  if (url === null || !/^smtps?:\/\//.test(given) || url.hostname === '') return null
  const secure = url.protocol === 'smtps:'
  // No other option may be hidden here: mail libraries read options from the query, for example "do
  // not verify".
  const [, query = '', tls] = /^[^?#]*(\?tls=(optional|off))?$/.exec(given) ?? [given, given]
  if (query !== '' && (secure || tls === undefined)) return null
  if (!/^\/?$/.test(url.pathname)) return null
  const auth = credentialsOf(url)
  if (auth === null) return null
  return {
    to: 'smtp',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ...(tls && { tls: tls as NonNullable<SmtpServer['tls']> }),
    ...(auth.user === '' ? {} : { auth }),
  }
}

/**
 * Every mail of ours protects an account: a link, a code, or a warning about an attacker. An
 * attacker on the network could hide STARTTLS or use a certificate of their own. So the URL must
 * ask for anything weaker.
 */
export function tlsOf({ secure, tls }: SmtpServer) {
  return {
    secure,
    requireTLS: !secure && tls === undefined,
    ignoreTLS: tls === 'off',
    tls: { rejectUnauthorized: tls === undefined },
  }
}

export interface MailFrom {
  name: string
  address: string
}

/** `no-reply@example.com` or `Example <no-reply@example.com>`. */
export const mailFrom: Variable<MailFrom | undefined> = (given) => {
  if (given === undefined) return { value: undefined }
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]+)>$/.exec(given.trim()) ?? []
  const address = bracketed ?? given.trim()
  return isMailAddress(address) && !/\p{C}/u.test(name)
    ? { value: { name: name.trim().replace(/^"(.*)"$/, '$1'), address } }
    : {
        problem:
          'must be an address such as no-reply@example.com or Example <no-reply@example.com>',
      }
}
