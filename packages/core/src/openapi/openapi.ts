import { bodyForm } from '../bodies/contract.ts'
import { idempotencyHeader } from '../idempotency/contract.ts'
import { boundOf, defineRouter, type Operation, parameterNames, route } from '../routes/contract.ts'
import type { TableRow } from '../routes/routes.ts'
import {
  type AnySchema,
  type InputPart,
  type JsonSchema,
  jsonSchemaOf,
  propertiesOf,
  requiredOf,
  takesEmpty,
} from '../schema/schema.ts'
import { access, descriptionOf, documentsOf, securitySchemes } from './openapi-access.ts'
import { envelopeSchema, responses } from './openapi-answers.ts'
import { formContent } from './openapi-form.ts'

export { accessTable, type RouteAccess } from './access-table.ts'
export { withCredentials } from './openapi-access.ts'

export interface OpenApiInfo {
  title: string
  version: string
  description?: string
}

/** An OpenAPI 3.1 document of a router, made from the same values that serve it. */
export function openApi(table: readonly TableRow[], info: OpenApiInfo) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of table) {
    const { method, path } = row.route.operation
    const template = path.replace(/:(\w+)/g, '{$1}')
    paths[template] ??= {}
    paths[template][method.toLowerCase()] = describeOperation(row)
  }
  const tags = new Set(table.flatMap((row) => tagsOf(row.route.operation)))
  return {
    openapi: '3.1.1',
    info,
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: { schemas: { Error: envelopeSchema }, securitySchemes: securitySchemes(table) },
  }
}

function describeOperation(row: TableRow) {
  const { operation } = row.route
  const description = descriptionOf(operation, documentsOf(row))
  return {
    operationId: row.name,
    ...(operation.summary && { summary: operation.summary }),
    ...(description && { description }),
    tags: tagsOf(operation),
    ...withParameters(operation),
    ...withBody(operation),
    responses: responses(row),
    ...access(row),
  }
}

/**
 * `/orders/:orderId` has the tag `orders`, and `/_auth/keys/list` the tag `auth/keys`, unless the
 * operation says otherwise.
 */
function tagsOf({ tags, path }: Operation): readonly string[] {
  if (tags) return tags
  const [first = '', second] = path.slice(1).split('/')
  return [first.startsWith('_') ? `${first.slice(1)}/${second}` : first || '/']
}

function withBody(operation: Operation) {
  const { body, form } = operation.input
  const content = {
    ...(body && contentOf(body)),
    ...(form && { 'application/x-www-form-urlencoded': { schema: jsonSchemaOf(form) } }),
  }
  // JSON Schema has no keyword for the size of a document in bytes.
  const maxBytes = boundOf(operation)
  const bound = maxBytes !== undefined && { description: `At most ${maxBytes} bytes.` }
  const required = !takesEmpty(body)
  return body || form ? { requestBody: { required, ...bound, content } } : {}
}

function contentOf(body: AnySchema) {
  const form = bodyForm(body)
  if (!form) return { 'application/json': { schema: jsonSchemaOf(body) } }
  if (form.kind === 'multipart') return { 'multipart/form-data': formContent(form) }
  // A schema describes JSON, and these are bytes (OpenAPI 3.1, "Considerations for File Uploads").
  return Object.fromEntries((form.types ?? ['*/*']).map((type) => [type, {}]))
}

const ofRepeated =
  'A new one for each change, such as a UUID. A request that repeats one gets the same answer, and changes nothing more.'

function withParameters({ path, input, isIdempotent }: Operation) {
  const ofPath = propertiesOf(input.params)
  const fromPath = parameterNames(path).map((name) =>
    parameter({ name, in: 'path', required: true }, ofPath[name] ?? { type: 'string' }),
  )
  const ofHeaders = listed(input, 'headers').map((each) =>
    isIdempotent && each.name === idempotencyHeader ? { description: ofRepeated, ...each } : each,
  )
  const parameters = [...fromPath, ...listed(input, 'query'), ...ofHeaders]
  return parameters.length > 0 ? { parameters } : {}
}

function listed(input: Operation['input'], part: InputPart) {
  const schema = input[part]
  const required = requiredOf(schema)
  const place = part === 'headers' ? 'header' : part
  return Object.entries(propertiesOf(schema)).map(([name, property]) =>
    parameter({ name, in: place, required: required.includes(name) }, property),
  )
}

/** Viewers show the description of a parameter, but not that of its schema. */
function parameter<Place extends object>(place: Place, { description, ...schema }: JsonSchema) {
  return { ...place, ...(description !== undefined && { description }), schema }
}

/** Serves the document, except in production: it names every operation that exists. */
export function openApiRoutes(table: readonly TableRow[]) {
  return defineRouter(
    {
      coreOpenApi: route
        .get('/_core/openapi.json')
        .handler(() => openApi(table, { title: 'API', version: '1' })),
    },
    { owns: '/_core/' },
  )
}
