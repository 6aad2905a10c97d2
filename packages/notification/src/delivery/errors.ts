import type { Channel } from './message.ts'

interface Failure {
  /** `ETIMEDOUT`, `ECONNREFUSED`, `EAUTH`, `REFUSED`…: a code, never a server's text. */
  code: string
  /** The server's status: of an SMTP reply or of HTTP. */
  status?: number
}

const hintForTls =
  '. The mail server has no STARTTLS. If only you can read what goes there, add ?tls=off to SVC_MAIL_URL.'

/**
 * A message that was not sent. It has no cause and quotes no response: a mail server may answer
 * with the address, the password or the text.
 */
export class NotificationError extends Error implements Failure {
  override readonly name = 'NotificationError'
  readonly channel: Channel
  readonly template: string
  readonly code: string
  readonly status?: number

  constructor(message: { channel: Channel; template: string }, { code, status }: Failure) {
    const hint = code === 'ETLS' ? hintForTls : ''
    super(`${message.template} was not sent by ${message.channel}: ${status ?? code}${hint}`)
    this.channel = message.channel
    this.template = message.template
    this.code = code
    if (status !== undefined) this.status = status
  }
}

/** A server answered, but did not accept the message. */
export class RefusedDelivery extends Error {
  readonly code = 'REFUSED'
  readonly responseCode: number

  constructor(responseCode: number) {
    super(`refused with ${responseCode}`)
    this.responseCode = responseCode
  }
}

/** The codes of any error that a transport threw. */
export function failureOf(thrown: unknown): Failure {
  const chain = [thrown, causeOf(thrown)].filter((each) => each instanceof Error)
  const [code = 'FAILED'] = chain.flatMap((error) => codeOf(error) ?? [])
  const [status] = chain.flatMap((error) => statusOf(error) ?? [])
  return status === undefined ? { code } : { code, status }
}

const causeOf = (thrown: unknown) => (thrown instanceof Error ? thrown.cause : undefined)

function codeOf(error: Error) {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'ETIMEDOUT'
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{1,60}$/.test(code) ? code : null
}

function statusOf(error: Error) {
  const status = 'responseCode' in error ? error.responseCode : undefined
  return Number.isInteger(status) ? (status as number) : null
}
