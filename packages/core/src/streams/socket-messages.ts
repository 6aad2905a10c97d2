import { BadRequestError, NotFoundError, ValidationError } from '../errors/errors.ts'
import { HttpError, messageOf } from '../errors/http-error.ts'
import { payloadCheck } from '../events/payload-check.ts'
import { Message, type MessageHandler, type MessageMap } from '../events/web-socket-router.ts'
import type { Log } from '../infrastructure/logger.ts'
import { parseJson } from '../request/json-body.ts'
import type { SocketStream } from './socket-stream.ts'

interface Bound {
  readonly check: (payload: unknown) => unknown
  readonly handler: MessageHandler
}

/** What clients may send, with its schemas compiled. */
export function bindMessages(messages: MessageMap, log: Pick<Log, 'error'>) {
  const bound = new Map(Object.entries(messages).map(([type, message]) => [type, bind(message)]))

  /** Answers a message; whatever is wrong with it is told in an `error` frame. */
  return async (stream: SocketStream, bytes: Buffer) => {
    const asked: { type?: string } = {}
    try {
      const { type, data } = read(bytes)
      asked.type = type
      const message = bound.get(type)
      if (!message) throw new NotFoundError({ resource: 'Message type' })
      const subject = stream.grant?.subject
      const payload = await message.check(data)
      const context = { payload, ws: stream, ...(subject !== undefined && { subject }) }
      const reply = await message.handler(context)
      if (reply !== undefined) stream.send(type, reply)
    } catch (error) {
      stream.send('error', told(error, asked.type))
      if (!(error instanceof HttpError))
        log.error({ err: error, type: asked.type }, 'a message handler failed')
    }
  }
}

function bind(message: MessageMap[string]): Bound {
  if (!(message instanceof Message)) return { check: (payload) => payload, handler: message }
  const check = payloadCheck(message.schema, 'data', (fields) => new ValidationError({ fields }))
  return { check, handler: message.handler }
}

function read(bytes: Buffer) {
  const frame = parseJson(bytes)
  const { type, data } = (frame ?? {}) as { type?: unknown; data?: unknown }
  if (typeof type === 'string') return { type, data }
  throw new BadRequestError({ message: 'A frame is { "type", "data" }, in JSON.' })
}

/** The facts of a refusal as answers to requests have them. */
function told(error: unknown, type: string | undefined) {
  const about = type === undefined ? {} : { for: type }
  if (!(error instanceof HttpError)) {
    return { code: 'Error', message: 'Internal Server Error', ...about }
  }
  return { ...error.publicFields, code: error.name, message: messageOf(error), ...about }
}
