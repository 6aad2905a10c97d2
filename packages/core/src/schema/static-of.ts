import type { Static, TSchema } from 'typebox'

/**
 * The type of a TypeBox schema: `Static`, made cheap for what is common. `Static` asks a schema thirty questions with
 * `extends`, and each makes the compiler work out the whole schema; a thousand routes took it over five seconds. This
 * looks the kind up by its key instead, and leaves what is rare to `Static`.
 */
export type StaticOf<Schema> = '~kind' extends keyof Schema
  ? Schema['~kind'] extends keyof Common<Schema>
    ? Common<Schema>[Schema['~kind']]
    : Static<Schema & TSchema>
  : Static<Schema & TSchema>

interface Common<Schema> {
  String: string
  Integer: number
  Number: number
  Boolean: boolean
  Null: null
  Unknown: unknown
  Literal: Schema extends { const: infer Value } ? Value : never
  Enum: Schema extends { enum: infer Values extends readonly unknown[] } ? Values[number] : never
  Array: Schema extends { items: infer Item } ? StaticOf<Item>[] : never
  Union: Schema extends { anyOf: infer Types extends readonly unknown[] } ? OneOf<Types> : never
  Object: Schema extends { properties: infer Properties } ? ObjectOf<Properties> : never
}

type OneOf<Types extends readonly unknown[]> = {
  [Index in keyof Types]: StaticOf<Types[Index]>
}[number]

type OptionalKeys<Properties> = {
  [Key in keyof Properties]: '~optional' extends keyof Properties[Key] ? Key : never
}[keyof Properties]

type ObjectOf<Properties> = [OptionalKeys<Properties>] extends [never]
  ? { [Key in keyof Properties]: StaticOf<Properties[Key]> }
  : Flat<
      {
        [Key in Exclude<keyof Properties, OptionalKeys<Properties>>]: StaticOf<Properties[Key]>
      } & { [Key in OptionalKeys<Properties>]?: StaticOf<Properties[Key]> }
    >

type Flat<Type> = { [Key in keyof Type]: Type[Key] }
