import type { Static, TSchema } from 'typebox'

/** Whether a value is as a caller sends it, or with its defaults filled in. */
type Side = 'sent' | 'complete'

/**
 * The type of a TypeBox schema: `Static`, made cheap for common schemas. `Static` asks thirty
 * questions with `extends`, and for each the compiler evaluates the whole schema. A thousand routes
 * took it over five seconds. This looks the kind up by its key instead, and leaves rare kinds to
 * `Static`.
 */
export type StaticOf<Schema, Of extends Side = 'complete'> = '~kind' extends keyof Schema
  ? Schema['~kind'] extends keyof Common<Schema, Of>
    ? Common<Schema, Of>[Schema['~kind']]
    : Static<Schema & TSchema>
  : Static<Schema & TSchema>

interface Common<Schema, Of extends Side> {
  String: string
  Integer: number
  Number: number
  Boolean: boolean
  Null: null
  Unknown: unknown
  Literal: Schema extends { const: infer Value } ? Value : never
  Enum: Schema extends { enum: infer Values extends readonly unknown[] } ? Values[number] : never
  Array: Schema extends { items: infer Item } ? StaticOf<Item, Of>[] : never
  Union: Schema extends { anyOf: infer Types extends readonly unknown[] } ? OneOf<Types, Of> : never
  Intersect: Schema extends { allOf: infer Types extends readonly unknown[] }
    ? AllOf<Types, Of>
    : never
  Object: Schema extends { properties: infer Properties } ? ObjectOf<Properties, Of> : never
}

type OneOf<Types extends readonly unknown[], Of extends Side> = {
  [Index in keyof Types]: StaticOf<Types[Index], Of>
}[number]

type AllOf<Types extends readonly unknown[], Of extends Side> = Types extends readonly [
  infer First,
  ...infer Others,
]
  ? StaticOf<First, Of> & AllOf<Others, Of>
  : unknown

/** A caller may leave out a member with a default, but a handler always gets it. */
type OptionalKeys<Properties, Of extends Side> = {
  [Key in keyof Properties]: 'default' extends keyof Properties[Key]
    ? Of extends 'sent'
      ? Key
      : never
    : '~optional' extends keyof Properties[Key]
      ? Key
      : never
}[keyof Properties]

type ObjectOf<Properties, Of extends Side> = [OptionalKeys<Properties, Of>] extends [never]
  ? { [Key in keyof Properties]: StaticOf<Properties[Key], Of> }
  : Flat<
      {
        [Key in Exclude<keyof Properties, OptionalKeys<Properties, Of>>]: StaticOf<
          Properties[Key],
          Of
        >
      } & { [Key in OptionalKeys<Properties, Of>]?: StaticOf<Properties[Key], Of> }
    >

type Flat<Type> = { [Key in keyof Type]: Type[Key] }
