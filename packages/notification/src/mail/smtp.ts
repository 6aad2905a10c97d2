import type { Message, Transport } from '../delivery/delivery.ts'
import { type MailFrom, type SmtpServer, tlsOf } from './env.ts'

const silenceMillis = 5000
// A server that sends a byte now and then would never time out.
const messageMillis = 10_000

/** One connection for each message. nodemailer is loaded with the first message. */
export function smtpTransport(server: SmtpServer, from: MailFrom): Transport {
  let opening: ReturnType<typeof openMailer> | undefined
  return async (message) => {
    opening ??= openMailer(server)
    const mailer = await opening
    await mailer.sendMail({
      ...written(message),
      from,
      signal: AbortSignal.timeout(messageMillis),
    })
  }
}

async function openMailer(server: SmtpServer) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: server.host,
    port: server.port,
    ...(server.auth ? { auth: server.auth } : {}),
    ...tlsOf(server),
    connectionTimeout: silenceMillis,
    greetingTimeout: silenceMillis,
    socketTimeout: silenceMillis,
    dnsTimeout: silenceMillis,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function written({ to, subject, text, html, sentAt }: Message) {
  return {
    // As an object it is one address. As text it would be parsed as a list.
    to: { name: '', address: to },
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    date: new Date(sentAt),
    xMailer: false as const,
    // RFC 3834: no out-of-office note is sent in reply to a code.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}
