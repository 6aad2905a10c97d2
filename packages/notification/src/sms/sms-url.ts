import type { Variable } from '@svc/core'
import { credentialsOf, isLoopback, type LocalUrl, localUrl } from '../delivery/delivery-url.ts'

export interface SmsGateway {
  to: 'https'
  /** Without the secret. It is `http:` on loopback alone. */
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
