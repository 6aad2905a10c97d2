import { createHmac, randomUUID } from 'node:crypto'
import type { Message, Transport } from '../delivery/delivery.ts'
import { RefusedDelivery } from '../delivery/errors.ts'
import type { SmsGateway } from './env.ts'

const answerMillis = 5000

/** Posts the message as JSON, signed as a webhook, to the gateway that sends text messages. */
export function httpsTransport({ url, secret }: SmsGateway): Transport {
  return async (message) => {
    const body = JSON.stringify(posted(message))
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...signature(message, body, secret) },
      // A redirect would send the code to another address, with a signature that is valid for the
      // first one.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMillis),
    })
    // The rest of the body isn't needed, but a connection with an unread body is never free again.
    await answer.body?.cancel()
    if (!answer.ok) throw new RefusedDelivery(answer.status)
  }
}

const posted = ({ to, text, template, sentAt }: Message) => ({ to, text, template, sentAt })

/**
 * Standard Webhooks 1.0: HMAC-SHA256 of id, time and body. The time limits replay, and the id
 * identifies a repetition.
 */
function signature({ sentAt }: Message, body: string, secret: string) {
  const id = `msg_${randomUUID()}`
  const timestamp = String(Math.floor(Date.parse(sentAt) / 1000))
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
}
