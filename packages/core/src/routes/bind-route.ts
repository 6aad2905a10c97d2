import { bodyReader } from '../bodies/bodies.ts'
import { bodyForm } from '../bodies/contract.ts'
import { UnsupportedMediaTypeError, ValidationError } from '../errors/contract.ts'
import { isThenable } from '../infrastructure/infrastructure.ts'
import { Answer, parseJson } from '../request/client.ts'
import { parsePairs, type RawContext, readBody } from '../request/request.ts'
import {
  type AnySchema,
  type InputPart,
  type InputSchemas,
  isStandardSchema,
  takesEmpty,
} from '../schema/schema.ts'
import { strip, type Validated, type Validator, validator } from '../schema/server.ts'
import { HandlerContext } from './context.ts'
import { type Chain, compose } from './middleware.ts'
import type { Operation } from './operation.ts'
import type { TableRow } from './route-table.ts'

type RunHandler = (c: HandlerContext) => unknown
type Data = Partial<Record<InputPart, unknown>>

/** Makes a row of the table into one function: middleware, then input, then the handler. */
export function bindRoute({ route, middlewares }: TableRow): Chain {
  const parts = declaredParts(route.operation.input)
  const handler = route.binding.handler as RunHandler
  const toAnswer = answerer(route.operation)
  // Only what is a promise is awaited: each needless await would cost more than the validation itself.
  const last: Chain = async (c) => {
    const data: Data = { params: {}, query: {} }
    for (const { part, read, validate } of parts) {
      const given = read(c)
      const checked = validate(given instanceof Promise ? await given : given)
      data[part] = accepted(checked instanceof Promise ? await checked : checked)
    }
    const returned = handler(new HandlerContext(c, data))
    // Taken for a value, a query would be answered as JSON.
    c.answer = toAnswer(isThenable(returned) ? await returned : returned)
  }
  return compose(middlewares, last)
}

type Reader = (c: RawContext) => unknown

interface DeclaredPart {
  part: InputPart
  read: Reader
  validate: Validator
}

/** The body comes last: nobody sends a megabyte only to be told that a parameter is wrong. */
function declaredParts(schemas: InputSchemas): DeclaredPart[] {
  return (['params', 'query', 'headers', 'body', 'form'] as const).flatMap((part) => {
    const schema = schemas[part]
    if (!schema) return []
    const read = part === 'body' ? readerOfBody(schema) : readers[part]
    return [{ part, read, validate: validator(schema, part) }]
  })
}

function readerOfBody(schema: AnySchema): Reader {
  const form = bodyForm(schema)
  if (form) return bodyReader(form)
  return takesEmpty(schema) ? readOptionalBody : readers.body
}

function accepted(checked: Validated) {
  if (checked.fields) throw new ValidationError({ fields: checked.fields })
  return checked.value
}

/** Makes an answer of what a handler returned. A declared answer holds what is declared and nothing beside it. */
function answerer({ answer: declared }: Operation) {
  const status = declared?.status ?? 200
  const clean = declared && !isStandardSchema(declared.schema) ? strip(declared.schema) : null
  return (returned: unknown) => {
    if (returned instanceof Response) return returned
    const answer = returned instanceof Answer ? returned : new Answer(status, returned)
    return clean && answer.status < 300 ? answer.with(clean(answer.value)) : answer
  }
}

const readers: Record<InputPart, Reader> = {
  params: (c) => c.req.param(),
  query: (c) => c.req.query(),
  headers: (c) => c.incoming.headers,
  body: readJsonBody,
  form: readForm,
}

const json = /^application\/(?:[\w.-]+\+)?json(?:;|$)/i

function readJsonBody(c: RawContext) {
  requireMediaType(c, json, 'application/json')
  return readBody(c).then(parseJson)
}

/** Where every member may be left out, so may the body. */
function readOptionalBody(c: RawContext) {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = c.incoming.headers
  const isAbsent = encoding === undefined && Number(length) === 0
  return isAbsent ? {} : readJsonBody(c)
}

const urlencoded = /^application\/x-www-form-urlencoded(?:;|$)/i

/** A name that comes twice makes a list, as in a query, and a schema of text refuses that. */
function readForm(c: RawContext) {
  requireMediaType(c, urlencoded, 'application/x-www-form-urlencoded')
  return readBody(c).then((bytes) => parsePairs(bytes.toString('utf8'), 'body'))
}

function requireMediaType({ incoming: { headers } }: RawContext, type: RegExp, name: string) {
  if (!type.test(headers['content-type'] ?? '')) {
    throw new UnsupportedMediaTypeError({ message: `Send the body as ${name}.` })
  }
  if (headers['content-encoding']) {
    throw new UnsupportedMediaTypeError({ message: 'Send the body without a content encoding.' })
  }
}
