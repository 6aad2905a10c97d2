import type { TObject, TString } from 'typebox'
import { type InputSchemas, isStandardSchema, t } from '../schema/schema.ts'

/** Identifies a change among all changes of its caller, so that a retry is not a second change. */
export const idempotencyHeader = 'idempotency-key'

type KeyHeader = { 'idempotency-key': TString }

/** The input of an operation that takes a key. */
export type WithIdempotencyKey<Input extends InputSchemas> = Input & {
  headers: Input extends { headers: TObject<infer Members> }
    ? TObject<Members & KeyHeader>
    : TObject<KeyHeader>
}

/** Adds the key to the declared headers. If that is not possible, the server does not start. */
export function withIdempotencyKey(input: InputSchemas): InputSchemas {
  const { headers } = input
  if (headers && isStandardSchema(headers)) return input
  const { properties } = { ...headers } as Partial<TObject>
  const key = t.String({ minLength: 1, maxLength: 255 })
  return { ...input, headers: t.Object({ ...properties, 'idempotency-key': key }) }
}
