import { type AnySchema, type JsonSchema, jsonSchemaOf } from '../schema/schema.ts'

type Json = unknown

/** Schemas in a contract: in one canonical form, and with a name if a schema equals a named one. */
export class ContractTypes {
  readonly #names = new Map<string, string>()
  readonly #named: [name: string, schema: Json][]

  constructor(types: Readonly<Record<string, AnySchema>> = {}) {
    this.#named = byName(Object.entries(types)).map(([name, schema]) => [
      name,
      stable(jsonSchemaOf(schema)),
    ])
    for (const [name, schema] of this.#named) {
      const text = JSON.stringify(schema)
      const namesake = this.#names.get(text)
      if (namesake) throw new Error(`The types "${namesake}" and "${name}" are the same schema.`)
      this.#names.set(text, name)
    }
  }

  refer(schema: JsonSchema): Json {
    return this.#refer(stable(schema))
  }

  /** Every named schema. It refers to others by their names. */
  all() {
    return Object.fromEntries(
      this.#named.map(([name, schema]) => [name, this.#referBelow(schema)] as const),
    )
  }

  #refer(schema: Json): Json {
    const name = this.#names.get(JSON.stringify(schema))
    return name ? { $ref: `#/types/${name}` } : this.#referBelow(schema)
  }

  #referBelow(schema: Json): Json {
    if (Array.isArray(schema)) return schema.map((item) => this.#refer(item))
    if (!isObject(schema)) return schema
    const members = Object.entries(schema).map(([name, value]) => [
      name,
      // `properties` holds schemas by name. It is no schema, so it gets no name even if it looks
      // like one.
      name.endsWith('roperties') ? this.#referBelow(value) : this.#refer(value),
    ])
    return Object.fromEntries(members)
  }
}

/**
 * The same text for the same schema, in any order of its members, so that a diff of two contracts
 * shows only real changes.
 */
function stable(value: Json): Json {
  if (Array.isArray(value)) return value.map(stable)
  if (!isObject(value)) return value
  const literals = literalsOf(value)
  if (literals) return { enum: literals, type: 'string' }
  return Object.fromEntries(
    byName(Object.entries(value)).map(([name, member]) => [
      name,
      unordered.has(name) ? inOrder(member) : stable(member),
    ]),
  )
}

/** A union of literals is an enum, as it will be in Swift and Kotlin. */
function literalsOf({ anyOf, ...others }: Record<string, Json>): Json {
  if (!Array.isArray(anyOf) || Object.keys(others).length > 0) return null
  const values = anyOf.map((each) => (isObject(each) ? each.const : undefined))
  return values.every((value) => typeof value === 'string') ? inOrder(values) : null
}

const unordered = new Set(['required', 'enum'])

/** Sorts a list whose order has no meaning. An object member with such a name is a schema. */
function inOrder(member: Json): Json {
  if (!Array.isArray(member)) return stable(member)
  return member.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
}

export function byName<Value>(entries: readonly (readonly [name: string, value: Value])[]) {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
