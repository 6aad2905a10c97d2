import type { TSchema } from 'typebox'
import type { StaticOf } from './static-of.ts'

/** The part of https://standardschema.dev that is used here; zod, valibot, arktype and others have it. */
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

export type JsonSchemaTarget = 'draft-07' | 'draft-2020-12'

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export type AnySchema = TSchema | StandardSchema

/** What a handler gets for a schema. The test is by key: see `StaticOf`. */
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
  : StaticOf<Schema, 'sent'>

/** The places an operation takes input from: of `body`, which is JSON, and `form` it has one. */
export interface InputSchemas {
  params?: AnySchema
  query?: AnySchema
  body?: AnySchema
  /** A body of `application/x-www-form-urlencoded`, for protocols that prescribe one. */
  form?: AnySchema
  headers?: AnySchema
}

export type InputPart = keyof InputSchemas

export function isStandardSchema(schema: AnySchema): schema is StandardSchema {
  return '~standard' in schema
}
