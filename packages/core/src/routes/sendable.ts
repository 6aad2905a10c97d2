import type { Answer, Page, Success } from '../request/client.ts'

/** Values that JSON changes or drops: an answer that contains one does not compile. */
interface NoJson {
  bigint: 'JSON has no BigInt: return it as text.'
  symbol: 'JSON has no symbols: return a text.'
  collection: 'JSON has no Map or Set: return an object or an array.'
  bytes: 'JSON has no bytes: return text or a Response.'
  promise: 'JSON has no promises: await it.'
}

type PlainJson =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly PlainJson[]
  | { readonly [key: string]: PlainJson }
  | { toJSON(): unknown }

/**
 * Types that JSON can obviously carry. Comparing with this costs the compiler little, but
 * `Sendable` makes a type of each member: with a thousand routes, that was 40 % of all types.
 */
export type Plain = PlainJson | Answer<PlainJson | Enveloped>

type Enveloped = Page<PlainJson> | Success<PlainJson>

/** The value, if JSON can carry it. A date becomes text, and a method of an object is left out. */
export type Sendable<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends bigint
    ? NoJson['bigint']
    : Value extends symbol
      ? NoJson['symbol']
      : Value extends Answer<infer Body>
        ? Answer<Sendable<Body>>
        : Value extends SentAsItIs
          ? Value
          : Value extends Collection
            ? NoJson['collection']
            : Value extends ArrayBuffer | ArrayBufferView
              ? NoJson['bytes']
              : Value extends object
                ? { [Key in keyof Value]: SendableMember<Value[Key]> }
                : Value

type SendableMember<Value> =
  Value extends PromiseLike<unknown> ? NoJson['promise'] : Sendable<Value>

/** A Buffer and a Date define their own JSON. */
type SentAsItIs = Response | { toJSON(): unknown } | ((...args: never[]) => unknown)

type Collection =
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | WeakMap<WeakKey, unknown>
  | WeakSet<WeakKey>
