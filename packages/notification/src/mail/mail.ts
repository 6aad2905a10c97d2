import { localTransport } from '../delivery/delivery.ts'
import type { MailFrom, MailUrl } from './env.ts'
import { smtpTransport } from './smtp.ts'

interface MailSettings {
  readonly SVC_MAIL_URL: MailUrl
  readonly SVC_MAIL_FROM: MailFrom
}

export function mailTransport({ SVC_MAIL_URL: url, SVC_MAIL_FROM: from }: MailSettings) {
  return url.to === 'smtp' ? smtpTransport(url, from) : localTransport(url)
}
