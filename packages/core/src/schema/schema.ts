import type { TSchema } from 'typebox'
import type { StaticOf } from './static-of.ts'

export * as t from './t.ts'

/**
 * The part of https://standardschema.dev that is used here. zod, valibot, arktype and others
 * implement it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema?: {
      readonly input: (options: { target: JsonSchemaTarget }) => Record<string, unknown>
      readonly output: (options: { target: JsonSchemaTarget }) => Record<string, unknown>
    }
  }
}

type JsonSchemaTarget = 'draft-07' | 'draft-2020-12'

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * A schema of TypeBox (`t`), zod, valibot, arktype, or another library with the Standard Schema
 * interface.
 */
export type AnySchema = TSchema | StandardSchema

/** What a handler gets for a schema. The check is by key: see `StaticOf`. */
export type OutputOf<Schema> = '~standard' extends keyof Schema
  ? Schema extends StandardSchema<unknown, infer Output>
    ? Output
    : never
  : StaticOf<Schema>

/** What a caller sends for a schema. */
export type InputOf<Schema> = '~standard' extends keyof Schema
  ? Schema extends StandardSchema<infer Input, unknown>
    ? Input
    : never
  : Schema extends Undefaulted
    ? StaticOf<Schema>
    : StaticOf<Schema, 'sent'>

/**
 * A schema without a default at any depth: the handler gets exactly what is sent, and that type
 * exists already.
 */
interface Undefaulted {
  readonly '~kind': string
  readonly default?: never
  readonly properties?: { readonly [name: string]: Undefaulted }
  readonly items?: Undefaulted | readonly Undefaulted[]
  readonly anyOf?: readonly Undefaulted[]
  readonly allOf?: readonly Undefaulted[]
}

/** The places of an operation's input. It has either `body`, which is JSON, or `form`. */
export interface InputSchemas {
  params?: AnySchema
  query?: AnySchema
  body?: AnySchema
  /** A body of `application/x-www-form-urlencoded`, for protocols that require it. */
  form?: AnySchema
  headers?: AnySchema
}

export type InputPart = keyof InputSchemas

export function isStandardSchema(schema: AnySchema): schema is StandardSchema {
  return '~standard' in schema
}

export type JsonSchema = Record<string, unknown>

interface Form {
  /** The input of a schema, or its result. */
  side: 'input' | 'output'
  target: JsonSchemaTarget
}

/**
 * A schema as JSON Schema, for documents. TypeBox's is one already, of any draft. Others can
 * convert theirs.
 */
export function jsonSchemaOf(
  schema: AnySchema,
  { side, target }: Form = { side: 'input', target: 'draft-2020-12' },
): JsonSchema {
  if (!isStandardSchema(schema)) {
    const written: JsonSchema = JSON.parse(JSON.stringify(schema))
    return side === 'input' ? withoutDefaulted(written) : written
  }
  const { jsonSchema } = schema['~standard']
  if (!jsonSchema) return {}
  const { $schema: _target, ...members } = jsonSchema[side]({ target })
  return members
}

/**
 * A member with a default is not required of a caller, at any depth where defaults are filled in.
 */
function withoutDefaulted(schema: JsonSchema): JsonSchema {
  const { properties, required, items, anyOf, allOf, ...others } = schema as Written
  const members = properties && Object.entries(properties)
  const left = required?.filter((name) => properties?.[name]?.default === undefined)
  return {
    ...others,
    ...(items && {
      items: Array.isArray(items) ? items.map(withoutDefaulted) : withoutDefaulted(items),
    }),
    ...(anyOf && { anyOf: anyOf.map(withoutDefaulted) }),
    ...(allOf && { allOf: allOf.map(withoutDefaulted) }),
    ...(left && left.length > 0 && { required: left }),
    ...(members && {
      properties: Object.fromEntries(members.map(([name, one]) => [name, withoutDefaulted(one)])),
    }),
  }
}

interface Written {
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema | JsonSchema[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

/** The names for which a caller must send a value. */
export function requiredOf(schema: AnySchema | undefined) {
  return ((schema && jsonSchemaOf(schema).required) ?? []) as readonly string[]
}

/** The property names of an object schema. Empty for a schema library that does not describe its schemas. */
export function propertiesOf(schema: AnySchema | undefined) {
  return ((schema && jsonSchemaOf(schema).properties) ?? {}) as Record<string, JsonSchema>
}

/**
 * Whether a body may be left out: it is an object whose members are all optional or have a default.
 */
export function takesEmpty(schema: AnySchema | undefined): boolean {
  if (!schema) return false
  if (isStandardSchema(schema)) return takes(schema, {}) && !takes(schema, 0)
  const { type, anyOf, allOf } = schema as Shape
  if (anyOf) return anyOf.some(takesEmpty)
  if (allOf) return allOf.every(takesEmpty)
  return type === 'object' && requiredOf(schema).length === 0
}

interface Shape {
  type?: unknown
  anyOf?: TSchema[]
  allOf?: TSchema[]
}

/** An asynchronous schema is treated as one that needs a body. */
function takes(schema: Extract<AnySchema, { '~standard': unknown }>, value: unknown) {
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && !result.issues
}
