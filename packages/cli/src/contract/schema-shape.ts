import { isObject, type Schema } from './bundle.ts'

type Types = Readonly<Record<string, Schema>>

/** The schema itself: names are resolved, and schemas that must all match are merged. */
function resolved(schema: Schema, types: Types): Schema {
  const { $ref, allOf, ...own } = schema
  if (typeof $ref === 'string') {
    return resolved(types[$ref.replace('#/types/', '')] ?? {}, types)
  }
  if (!Array.isArray(allOf)) return schema
  const all = [own, ...allOf.map((each: Schema) => resolved(each, types))]
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required }) => required ?? []),
  }
}

/** The alternatives of a schema, each by itself. */
export function alternativesOf(schema: Schema, types: Types): Schema[] {
  const { anyOf, oneOf, ...own } = resolved(schema, types)
  const choice = anyOf ?? oneOf
  if (!Array.isArray(choice)) return [own]
  return choice.flatMap((each: Schema) => alternativesOf({ allOf: [own, each] }, types))
}

/** The JSON types that it allows; `null` if it allows any. */
export function typesOf({ type, ...schema }: Schema): string[] | null {
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type
  return literalsOf(schema)?.map((value) => (value === null ? 'null' : typeof value)) ?? null
}

/** The only values that it allows; `null` if they are not listed. */
export function literalsOf(schema: Schema): unknown[] | null {
  if (Array.isArray(schema.enum)) return schema.enum
  return 'const' in schema ? [schema.const] : null
}

/** The schemas inside of it, by path: `.keyId`, `.*` of a record, `[]` and `[0]` of lists. */
export function partsOf({ properties, patternProperties, items, prefixItems }: Schema) {
  const parts = [
    ...entriesOf(properties).map(([name, part]) => [`.${name}`, part]),
    ...entriesOf(patternProperties).map(([, part]) => ['.*', part]),
    ...entriesOf(Array.isArray(items) ? items : prefixItems).map(([at, part]) => [`[${at}]`, part]),
    ...(isObject(items) ? [['[]', items]] : []),
  ]
  return new Map(parts as [string, Schema][])
}

export function requires({ required }: Schema, path: string) {
  return Array.isArray(required) && required.includes(path.slice(1))
}

function entriesOf(parts: unknown) {
  return Object.entries((parts ?? {}) as Record<string, Schema>)
}
