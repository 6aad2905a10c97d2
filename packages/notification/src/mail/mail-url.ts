import type { Variable } from '@svc/core'
import { credentialsOf, isLoopback, type LocalUrl, localUrl } from '../delivery/delivery-url.ts'

export interface SmtpServer {
  to: 'smtp'
  host: string
  port: number
  /** TLS from the first byte. */
  secure: boolean
  auth?: { user: string; pass: string }
}

export type MailUrl = SmtpServer | LocalUrl

const problem =
  'must be smtp://user:password@host:port (or smtps:), file:<dir>, console: or none, ' +
  'with special characters of the password percent-encoded'

export const mailUrl: Variable<MailUrl | undefined> = (given) => {
  if (given === undefined) return { value: undefined }
  const value = localUrl(given) ?? smtpServer(given)
  return value === null ? { problem } : { value }
}

function smtpServer(given: string): SmtpServer | null {
  const url = URL.parse(given)
  if (url === null || !/^smtps?:\/\//.test(given) || url.hostname === '') return null
  // Nothing else may hide here: mail libraries read options, "do not verify" among them, from the query.
  if (/[?#]/.test(given) || !/^\/?$/.test(url.pathname)) return null
  const auth = credentialsOf(url)
  if (auth === null) return null
  const secure = url.protocol === 'smtps:'
  return {
    to: 'smtp',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ...(auth.user === '' ? {} : { auth }),
  }
}

/**
 * On the way to this machine itself there is nobody to be afraid of, and its certificate names nobody. Everywhere else
 * a password needs TLS: whoever sits between could hide the offer of STARTTLS.
 */
export function tlsOf({ host, secure, auth }: SmtpServer) {
  const isLocal = !secure && isLoopback(host)
  return {
    secure,
    requireTLS: !secure && !isLocal && auth !== undefined,
    tls: { rejectUnauthorized: !isLocal },
  }
}
