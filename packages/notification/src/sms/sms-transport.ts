import { localTransport } from '../delivery/local-transport.ts'
import type { NotificationEnv } from '../env.ts'
import { httpsTransport } from './https.ts'

export function smsTransport({ SVC_SMS_URL: url }: NotificationEnv) {
  return url.to === 'https' ? httpsTransport(url) : localTransport(url)
}
