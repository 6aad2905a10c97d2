import { STATUS_CODES } from 'node:http'
import type { Operation, Refusal } from '../routes/contract.ts'
import { everyRefusal, type TableRow } from '../routes/routes.ts'
import { type JsonSchema, jsonSchemaOf } from '../schema/schema.ts'
import { documentsOf } from './openapi-access.ts'

/** The answers of an operation, by status. */
export function responses(row: TableRow) {
  const { operation } = row.route
  const { status = 200, otherStatuses = [] } = operation.answer ?? {}
  const successes = [status, ...otherStatuses].map((each) => [each, success(operation, each)])
  return {
    ...Object.fromEntries(successes),
    ...refusalsByStatus(everyRefusal(operation, documentsOf(row))),
    default: { description: 'Any error', content: json(envelope) },
  }
}

const made = { side: 'output', target: 'draft-2020-12' } as const

const location = { schema: { type: 'string', format: 'uri-reference' } }

function success({ answer }: Operation, status: number) {
  const description = STATUS_CODES[status] ?? 'Answer'
  if (status >= 300 && status < 400) return { description, headers: { Location: location } }
  const schema = answer ? jsonSchemaOf(answer.schema, made) : {}
  const isEmpty = status === 204 || schema.type === 'undefined'
  return { description, ...(!isEmpty && { content: contentOf(schema) }) }
}

/** JSON, unless the schema is for text with another media type. */
function contentOf({ contentMediaType, ...schema }: JsonSchema) {
  return typeof contentMediaType === 'string' ? { [contentMediaType]: { schema } } : json(schema)
}

function refusalsByStatus(refusals: Refusal[]) {
  const byStatus = Map.groupBy(refusals, ({ status }) => status)
  return Object.fromEntries([...byStatus].map(([status, same]) => [status, refused(status, same)]))
}

const seconds = {
  description: 'Seconds until it may go better.',
  schema: { type: 'integer' },
}

function refused(status: number, same: Refusal[]) {
  const bodies = same.map(({ schema }) => (schema ? jsonSchemaOf(schema) : envelope))
  const [first = envelope, ...others] = [...new Set(bodies)]
  return {
    description: same.map(({ name }) => name).join(', '),
    ...((status === 429 || status === 503) && { headers: { 'Retry-After': seconds } }),
    content: json(others.length === 0 ? first : { anyOf: [first, ...others] }),
  }
}

const envelope: JsonSchema = { $ref: '#/components/schemas/Error' }

function json(schema: JsonSchema) {
  return { 'application/json': { schema } }
}

export const envelopeSchema = {
  type: 'object',
  required: ['__type', 'message', 'error'],
  properties: {
    __type: { type: 'string', description: 'The error class.' },
    message: { type: 'string' },
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        requestId: { type: 'string' },
      },
    },
  },
}
