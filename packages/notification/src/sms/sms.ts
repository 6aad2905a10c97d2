import { localTransport } from '../delivery/delivery.ts'
import { httpsTransport } from './https.ts'
import type { SmsUrl } from './sms-url.ts'

export function smsTransport({ SVC_SMS_URL: url }: { readonly SVC_SMS_URL: SmsUrl }) {
  return url.to === 'https' ? httpsTransport(url) : localTransport(url)
}
