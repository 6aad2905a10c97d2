import type { RawData, WebSocket } from 'ws'
import { databaseFailure } from '../../database/database.ts'
import { BadRequestError, NotFoundError, ValidationError } from '../../errors/contract.ts'
import { HttpError } from '../../errors/errors.ts'
import { messageOf } from '../../errors/server.ts'
import { Message, type MessageHandler, type MessageMap } from '../../events/contract.ts'
import { payloadCheck } from '../../events/events.ts'
import type { Log } from '../../observation/observation.ts'
import { parseJson } from '../../request/client.ts'
import type { ClientSocket } from './client-socket.ts'
import type { SocketStream } from './socket-stream.ts'

interface Bound {
  readonly check: (payload: unknown) => unknown
  readonly handler: MessageHandler
}

/** A listener for a socket's messages. It belongs to no socket, so that all of them share it. */
export function receiveMessages(messages: MessageMap, log: Pick<Log, 'error'>) {
  const answer = answerMessages(messages, log)
  return function onMessage(this: WebSocket, data: RawData, isBinary: boolean) {
    ;(this as ClientSocket).receive(data as Buffer, isBinary ? refuseBinary : answer)
  }
}

async function refuseBinary(stream: SocketStream) {
  stream.send('error', told(new BadRequestError({ message: 'Frames are text.' })))
}

/**
 * Answers the messages of clients, with compiled schemas. A fault is reported in an `error` frame.
 */
function answerMessages(messages: MessageMap, log: Pick<Log, 'error'>) {
  const bound = new Map(Object.entries(messages).map(([type, message]) => [type, bind(message)]))

  async function answer(stream: SocketStream, { type, data }: SentFrame) {
    const message = bound.get(type)
    if (!message) throw new NotFoundError({ resource: 'Message type' })
    const subject = stream.grant?.subject
    const payload = await message.check(data)
    const context = { payload, ws: stream, ...(subject !== undefined && { subject }) }
    const reply = await message.handler(context)
    if (reply !== undefined) stream.send(type, reply)
  }

  function refuse(stream: SocketStream, thrown: unknown, type?: string) {
    const error = thrown instanceof HttpError ? thrown : (databaseFailure(thrown) ?? thrown)
    const isRefusal = error instanceof HttpError && error.status < 500
    if (!isRefusal) log.error({ err: thrown, type }, 'a message handler failed')
    stream.send('error', told(error, type))
  }

  return async (stream: SocketStream, bytes: Buffer) => {
    let type: string | undefined
    try {
      const frame = read(bytes)
      type = frame.type
      await answer(stream, frame)
    } catch (error) {
      try {
        refuse(stream, error, type)
      } catch (bug) {
        // The fields of a refusal belong to the application, and may not be JSON.
        refuse(stream, bug, type)
      }
    }
  }
}

function bind(message: MessageMap[string]): Bound {
  if (!(message instanceof Message)) return { check: (payload) => payload, handler: message }
  const check = payloadCheck(message.schema, 'data', (fields) => new ValidationError({ fields }))
  return { check, handler: message.handler }
}

interface SentFrame {
  readonly type: string
  readonly data: unknown
}

function read(bytes: Buffer): SentFrame {
  const frame = parseJson(bytes)
  const { type, data } = (frame ?? {}) as { type?: unknown; data?: unknown }
  if (typeof type === 'string') return { type, data }
  throw new BadRequestError({ message: 'A frame is { "type", "data" }, in JSON.' })
}

/** The facts of a refusal, in the form of answers to requests. */
function told(error: unknown, type?: string) {
  const about = type === undefined ? {} : { for: type }
  if (!(error instanceof HttpError)) {
    return { code: 'Error', message: 'Internal Server Error', ...about }
  }
  return { ...error.publicFields, code: error.name, message: messageOf(error), ...about }
}
