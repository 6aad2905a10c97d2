import type {
  AnySchema,
  InputOf,
  OutputOf,
  StandardIssue,
  StandardSchema,
} from '../schema/schema.ts'
import { type EmitOptions, serverOf } from './emitter.ts'
import { EventDefinition } from './event.ts'

/** An emission of a channel: the id of the resource, and the payload. */
export interface OfChannel<Payload> {
  readonly of: string
  readonly data: Payload
}

interface ChannelWords<Payload> {
  /** When it is emitted, for the AsyncAPI document. */
  description?: string
  /**
   * The subjects whose streams get it, of those that follow the channel. All of them unless set.
   */
  recipients?: (emission: OfChannel<Payload>) => string | readonly string[]
}

// A channel of any payload, as `AnyEvent` is.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type AnyChannel = ChannelDefinition<any, any>

const longestId = 200

/** Whether this can be the id of a resource: it must fit on a line of a frame, and into a query. */
export function isChannelId(id: string) {
  // oxlint-disable-next-line no-control-regex -- these are what a line must not have; a comma ends a name in a query
  return id !== '' && id.length <= longestId && !/[\u0000-\u001f\u007f,]/.test(id)
}

/**
 * An event of one resource among many, such as an order: streams follow the resources that they
 * name.
 */
export class ChannelDefinition<Payload, Given = Payload> extends EventDefinition<
  OfChannel<Payload>,
  OfChannel<Given>
> {
  /** @internal Never set: carries the payload's type to stream clients. */
  declare readonly '~data': Payload
  /** @internal Distinguishes it from an event that is the same for all. */
  readonly '~isChannel' = true
  /** @internal The schema of a resource's payload. */
  readonly '~dataSchema': AnySchema

  constructor(name: string, schema: AnySchema, words?: ChannelWords<Payload>) {
    super(name, emissionOf(schema), words)
    this['~dataSchema'] = schema
  }

  /** The channel of one resource: `orderChanged.of(orderId).emit({ status: 'paid' })`. */
  of(id: string) {
    if (!isChannelId(id)) {
      throw new TypeError(
        `The id of a channel has 1 to ${longestId} characters, on one line and without a comma, not ${JSON.stringify(id)}.`,
      )
    }
    return {
      /** Resolves as `emit` of an event does. */
      emit: (data: Given, options: EmitOptions = {}): Promise<void> =>
        this.emit({ of: id, data }, options),
    }
  }
}

/**
 * Subjects that begin or cease to follow the channel of a resource. A list is a set: it may name
 * what is known.
 */
export type PresenceChange = { readonly of: string } & (
  | { readonly joined: readonly string[] }
  | { readonly left: readonly string[] }
)

/** Only the server emits it. */
const presenceChange: AnySchema = {
  '~standard': { version: 1, vendor: 'svc', validate: (value: unknown) => ({ value }) },
} satisfies StandardSchema

// A channel of any payload, as `AnyEvent` is.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type AnyPresenceChannel = PresenceChannel<any, any>

/** A channel whose followers the server knows. */
export class PresenceChannel<Payload, Given = Payload> extends ChannelDefinition<Payload, Given> {
  /** @internal Tells streams which subjects come and go. */
  readonly '~presence': EventDefinition<PresenceChange>

  constructor(name: string, schema: AnySchema, words?: ChannelWords<Payload>) {
    super(name, schema, words)
    this['~presence'] = new EventDefinition(`${name}~presence`, presenceChange)
  }

  /** The channel of one resource: `await roomSaid.of(roomId).present()`. */
  override of(id: string) {
    return {
      ...super.of(id),
      /**
       * The subjects that follow the channel now, on all instances. It works only if a server
       * streams the channel.
       */
      present: async (): Promise<string[]> => {
        const { present } = serverOf(this)
        if (present) return present(this.name, id)
        throw new TypeError(
          `No server of this process knows who follows "${this.name}": stream it in .events(…) or .websockets(…).`,
        )
      },
    }
  }
}

interface Presence {
  /** Streams that follow the channel of a resource are told which subjects do. They need `auth`. */
  presence: true
}

/** Defines an event of one resource among many: `defineChannel('order.changed', t.Object({ status: t.String() }))`. */
export function defineChannel<Schema extends AnySchema>(
  name: string,
  schema: Schema,
  words: ChannelWords<OutputOf<Schema>> & Presence,
): PresenceChannel<OutputOf<Schema>, InputOf<Schema>>
export function defineChannel<Schema extends AnySchema>(
  name: string,
  schema: Schema,
  words?: ChannelWords<OutputOf<Schema>>,
): ChannelDefinition<OutputOf<Schema>, InputOf<Schema>>
export function defineChannel<Schema extends AnySchema>(
  name: string,
  schema: Schema,
  { presence, ...words }: ChannelWords<OutputOf<Schema>> & Partial<Presence> = {},
): ChannelDefinition<OutputOf<Schema>, InputOf<Schema>> {
  const Channel = presence ? PresenceChannel : ChannelDefinition
  return new Channel(name, schema, words)
}

export function isChannel(event: object): event is AnyChannel {
  return '~isChannel' in event
}

export function hasPresence(event: object): event is AnyPresenceChannel {
  return '~presence' in event
}

/** Written by hand, because stream clients load this file, and they have no schema library. */
function emissionOf(schema: AnySchema): AnySchema {
  if (!('~standard' in schema)) {
    const properties = { of: { '~kind': 'String', type: 'string' }, data: schema }
    return { '~kind': 'Object', type: 'object', required: ['of', 'data'], properties }
  }
  // The check above has excluded the other kind.
  const { validate: validateData } = schema['~standard']
  const validate = (value: unknown) => {
    const { of: id, data } = value as OfChannel<unknown>
    const result = validateData(data)
    return result instanceof Promise ? result.then((each) => within(id, each)) : within(id, result)
  }
  return { '~standard': { version: 1, vendor: 'svc', validate } } satisfies StandardSchema
}

type Result = { readonly value: unknown; readonly issues?: undefined } | Faulty

interface Faulty {
  readonly issues: readonly StandardIssue[]
}

function within(id: string, result: Result) {
  if (!result.issues) return { value: { of: id, data: result.value } }
  return {
    issues: result.issues.map(({ message, path = [] }) => ({ message, path: ['data', ...path] })),
  }
}
