import { type EventRouter, Message, type MessageMap, presenceFrame } from '../events/contract.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { payloadSchema } from './asyncapi-payload.ts'

/** A message before it has its place in a document. */
interface Described {
  /** Its name on the wire. */
  name: string
  /** The value that it is a message of. Channels with the same value have the same message. */
  of: object
  /** Its key in the document, if that is not its name. */
  key?: string
  title?: string
  summary?: string
  description?: string
  payload: JsonSchema | ((pointer: string) => JsonSchema)
}

export const reference = (path: string) => ({ $ref: `#/${path}` })

/** The messages of a channel, which are those of the document. */
export function messagesOf(keys: readonly string[]) {
  return Object.fromEntries(keys.map((key) => [key, reference(`components/messages/${key}`)]))
}

/** The messages of a document, each once, even if several channels have it. */
export class AsyncApiMessages {
  readonly components: Record<string, object> = {}
  readonly #known: { name: string; of: object; key: string }[] = []

  /** Its key in `components.messages`. */
  keyOf({ name, of, key: wanted = name, payload, ...words }: Described): string {
    const known = this.#known.find((each) => each.of === of && each.name === name)
    if (known) return known.key
    const key = this.#freeKey(wanted)
    const schema =
      typeof payload === 'function' ? payload(`#/components/messages/${key}/payload`) : payload
    this.components[key] = { name, ...words, payload: schema }
    this.#known.push({ name, of, key })
    return key
  }

  /** Keys in AsyncAPI may have only these characters. */
  #freeKey(wanted: string) {
    const key = wanted.replace(/[^\w.-]/g, '_')
    const keys = [key, ...this.#known.map((_, at) => `${key}-${at + 2}`)]
    return keys.find((each) => !Object.hasOwn(this.components, each)) ?? `${key}-${keys.length + 1}`
  }
}

/** What a router's streams send of its events, and of the followers of its channels. */
export function eventMessages({ events, hasPresence }: EventRouter): Described[] {
  const described = Object.entries(events).map(([name, event]) => {
    const { schema, '~description': description } = event
    const side = 'output'
    return {
      name,
      of: event,
      title: event.name,
      ...(description && { description }),
      payload: schema
        ? (pointer: string) => payloadSchema(schema, { side, pointer })
        : { type: 'null' },
    }
  })
  return hasPresence ? [...described, presence] : described
}

/** What a client sends, and the replies, whose type only the handler knows. */
export function clientMessages(messages: MessageMap): { given: Described; reply: Described }[] {
  return Object.entries(messages).map(([name, message]) => {
    const summary = `What the handler of ${name} returns. If it returns nothing, no reply is sent.`
    return {
      given: { name, of: message, payload: givenPayload(message) },
      reply: { name, of: {}, key: `${name}.reply`, summary, payload: {} },
    }
  })
}

function givenPayload(message: MessageMap[string]): Described['payload'] {
  if (!(message instanceof Message)) return {}
  return (pointer) => payloadSchema(message.schema, { side: 'input', pointer })
}

const text = { type: 'string' }
const timestamp = { type: 'string', format: 'date-time' }

export const connected: Described = {
  name: 'connected',
  of: {},
  summary: 'The first message of a connection.',
  payload: {
    type: 'object',
    required: ['events', 'timestamp'],
    properties: {
      events: { type: 'array', items: text, description: 'The events that will be sent.' },
      timestamp,
      stream: {
        type: 'string',
        description:
          'On an event stream of a router with channels: the name of the stream, for requests that change which events it follows.',
      },
      recovered: {
        type: 'boolean',
        description: 'If the request has the id of a last event: whether all missed events follow.',
      },
      reason: {
        enum: ['expired', 'unknown'],
        description:
          'Why the missed events do not follow: they are no longer kept, or the id is of another history.',
      },
    },
  },
}

export const ping: Described = {
  name: 'ping',
  of: {},
  summary: 'Keeps the connection alive.',
  payload: { type: 'object', required: ['timestamp'], properties: { timestamp } },
}

export const gap: Described = {
  name: 'gap',
  of: {},
  summary: 'Events may have been missed. The connection stays: read the state again.',
  payload: {
    type: 'object',
    required: ['reason'],
    properties: {
      reason: {
        ...text,
        description:
          '`interrupted`: the link between instances was down. `expired`: the history does not go back far enough. There may be others.',
      },
    },
  },
}

const subjects = { type: 'array', items: text }
const toldOf = (member: string, description: string) => ({
  type: 'object',
  required: ['channel', member],
  properties: {
    channel: { ...text, description: 'As it is asked for.' },
    [member]: { ...subjects, description },
  },
})

const presence: Described = {
  name: presenceFrame,
  of: {},
  summary: 'Who follows a channel: first all of them, then changes.',
  payload: {
    oneOf: [
      toldOf('present', 'All who follow it.'),
      toldOf('joined', 'Those who joined.'),
      toldOf('left', 'Those who left.'),
    ],
  },
}

export const refusal: Described = {
  name: 'error',
  of: {},
  summary: 'A message was refused. The connection stays.',
  payload: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { ...text, description: 'The error class, whose other fields stand beside it.' },
      message: text,
      for: { ...text, description: 'The type of the message that was refused.' },
    },
  },
}
