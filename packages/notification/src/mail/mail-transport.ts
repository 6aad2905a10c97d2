import { localTransport } from '../delivery/local-transport.ts'
import type { NotificationEnv } from '../env.ts'
import { smtpTransport } from './smtp.ts'

export function mailTransport({ SVC_MAIL_URL: url, SVC_MAIL_FROM: from }: NotificationEnv) {
  return url.to === 'smtp' ? smtpTransport(url, from) : localTransport(url)
}
