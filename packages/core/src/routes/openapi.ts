import { STATUS_CODES } from 'node:http'
import { type JsonSchema, jsonSchemaOf } from '../schema/json-schema.ts'
import type { InputPart } from '../schema/schema.ts'
import { type Operation, parameterNames } from './operation.ts'
import { type Refusal, refusalsOf } from './refusals.ts'
import type { TableRow } from './route-table.ts'

export interface OpenApiInfo {
  title: string
  version: string
  description?: string
}

/** An OpenAPI 3.1 document of what a router serves, read from the same values that serve it. */
export function openApi(table: readonly TableRow[], info: OpenApiInfo) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name, route } of table) {
    const { operation } = route
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][operation.method.toLowerCase()] = describeOperation(name, operation)
  }
  return {
    openapi: '3.1.1',
    info,
    paths,
    components: { schemas: { Error: envelopeSchema } },
  }
}

function describeOperation(name: string, operation: Operation) {
  const { summary, description, tags, input } = operation
  return {
    operationId: name,
    ...(summary && { summary }),
    ...(description && { description }),
    ...(tags && { tags }),
    ...withParameters(operation),
    ...withBody(input),
    responses: responses(operation),
  }
}

function withBody({ body, form }: Operation['input']) {
  if (form) {
    const content = { 'application/x-www-form-urlencoded': { schema: jsonSchemaOf(form) } }
    return { requestBody: { required: true, content } }
  }
  return body ? { requestBody: { required: true, content: json(jsonSchemaOf(body)) } } : {}
}

function withParameters({ path, input }: Operation) {
  const fromPath = parameterNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: propertiesOf(input.params)[name] ?? { type: 'string' },
  }))
  const parameters = [...fromPath, ...listed(input, 'query'), ...listed(input, 'headers')]
  return parameters.length > 0 ? { parameters } : {}
}

function listed(input: Operation['input'], part: InputPart) {
  const schema = input[part]
  const required = schema ? (jsonSchemaOf(schema).required as string[] | undefined) : undefined
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    in: part === 'headers' ? 'header' : part,
    required: required?.includes(name) ?? false,
    schema: property,
  }))
}

function propertiesOf(schema: Operation['input'][InputPart]) {
  return ((schema && jsonSchemaOf(schema).properties) ?? {}) as Record<string, JsonSchema>
}

function responses(operation: Operation) {
  const { answer } = operation
  const { status = 200, otherStatuses = [] } = answer ?? {}
  const successes = [status, ...otherStatuses].map((each) => [each, success(answer, each)])
  return {
    ...Object.fromEntries(successes),
    ...refusalsByStatus(refusalsOf(operation)),
    default: errorAnswer('Any error'),
  }
}

function success(answer: Operation['answer'], status: number) {
  const content = { content: json(answer ? jsonSchemaOf(answer.schema) : {}) }
  return { description: STATUS_CODES[status] ?? 'Answer', ...(status !== 204 && content) }
}

function refusalsByStatus(refusals: Refusal[]) {
  const byStatus = Map.groupBy(refusals, ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      errorAnswer(same.map(({ name }) => name).join(', ')),
    ]),
  )
}

function errorAnswer(description: string) {
  return { description, content: json({ $ref: '#/components/schemas/Error' }) }
}

function json(schema: JsonSchema) {
  return { 'application/json': { schema } }
}

const envelopeSchema = {
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
