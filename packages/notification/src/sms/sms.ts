import { localTransport } from '../delivery/delivery.ts'
import type { SmsUrl } from './env.ts'
import { httpsTransport } from './https.ts'

export function smsTransport({ SVC_SMS_URL: url }: { readonly SVC_SMS_URL: SmsUrl }) {
  return url.to === 'https' ? httpsTransport(url) : localTransport(url)
}
