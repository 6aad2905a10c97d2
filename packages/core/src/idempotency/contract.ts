import type { TObject, TString } from 'typebox'
import { type InputSchemas, isStandardSchema, t } from '../schema/schema.ts'

/** Names one change among all of its caller's, so that a retry is told from a second change. */
export const idempotencyHeader = 'idempotency-key'

type KeyHeader = { 'idempotency-key': TString }

/** The input of an operation that takes a key. */
export type WithIdempotencyKey<Input extends InputSchemas> = Input & {
  headers: Input extends { headers: TObject<infer Members> }
    ? TObject<Members & KeyHeader>
    : TObject<KeyHeader>
}

/** Adds the key to the headers that are declared. Boot refuses those that it can't be added to. */
export function withIdempotencyKey(input: InputSchemas): InputSchemas {
  const { headers } = input
  if (headers && isStandardSchema(headers)) return input
  const { properties } = { ...headers } as Partial<TObject>
  const key = t.String({ minLength: 1, maxLength: 255 })
  return { ...input, headers: t.Object({ ...properties, 'idempotency-key': key }) }
}
