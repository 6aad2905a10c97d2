import { bodyReader } from '../bodies/bodies.ts'
import { bodyForm } from '../bodies/contract.ts'
import { underSettings } from '../database/database.ts'
import { UnsupportedMediaTypeError, ValidationError } from '../errors/contract.ts'
import { answerOnce } from '../idempotency/idempotency.ts'
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

/** Turns a row of the table into one function: middleware, then input, then the handler. */
export function bindRoute({ route, middlewares }: TableRow): Chain {
  const parts = declaredParts(route.operation.input)
  const firstLate = parts.findIndex(isLate)
  const early = firstLate < 0 ? parts : parts.slice(0, firstLate)
  const late = parts.slice(early.length)
  const answer = answering(route)
  // A promise is made only if something must be waited for: each would cost a request more than its
  // validation.
  const last: Chain = (c) => {
    const data: Data = { params: {}, query: {} }
    try {
      for (const { part, read, validate } of early) {
        // This is no promise: parts that may be one are among the late ones.
        data[part] = accepted(validate(read(c)) as Validated)
      }
      return late.length > 0 ? takeLate(c, data) : answer(c, data)
    } catch (error) {
      return Promise.reject(error)
    }
  }
  const takeLate = async (c: RawContext, data: Data) => {
    for (const { part, read, validate } of late) {
      const given = read(c)
      const checked = validate(given instanceof Promise ? await given : given)
      data[part] = accepted(checked instanceof Promise ? await checked : checked)
    }
    await answer(c, data)
  }
  return compose(middlewares, last)
}

type Answering = (c: RawContext, data: Data) => Promise<void>

/** Runs the handler, and turns its result into an answer. */
function answering(route: TableRow['route']): Answering {
  const answer = route.operation.isIdempotent ? answeringOnce(route) : answeringEach(route)
  const check = route.binding.check as RunHandler | undefined
  if (!check) return answer
  return async (c, data) => {
    await check(new HandlerContext(c, data))
    await answer(c, data)
  }
}

function answeringOnce({ operation, binding }: TableRow['route']): Answering {
  const handler = binding.handler as RunHandler
  const toAnswer = answerer(operation)
  return async (c, data) => {
    c.answer = await answerOnce(operation, c, async (tx) =>
      toAnswer(await handle(handler, new HandlerContext(c, data, { tx }))),
    )
  }
}

function answeringEach({ operation, binding }: TableRow['route']): Answering {
  const handler = binding.handler as RunHandler
  const reading = { isStale: binding.isStale }
  const toAnswer = answerer(operation)
  return (c, data) => {
    const returned = handle(handler, new HandlerContext(c, data, reading))
    const give = (value: unknown) => {
      c.answer = toAnswer(value)
    }
    // Otherwise a query would be taken for a value and answered as JSON.
    if (isThenable(returned)) return Promise.resolve(returned).then(give)
    give(returned)
    return settled
  }
}

function handle(handler: RunHandler, c: HandlerContext) {
  const { databaseSettings } = c.raw
  return databaseSettings ? underSettings(databaseSettings, handler, c) : handler(c)
}

// The chain of a request without waiting makes no promise of its own.
const settled = Promise.resolve()

type Reader = (c: RawContext) => unknown

interface DeclaredPart {
  part: InputPart
  schema: AnySchema
  read: Reader
  validate: Validator
}

/**
 * Whether it may have to be waited for: it comes after the head of the request, or its schema may
 * be asynchronous.
 */
function isLate({ part, schema }: DeclaredPart) {
  return part === 'body' || part === 'form' || isStandardSchema(schema)
}

/**
 * The body comes last: a client must not send a megabyte only to learn that a parameter is wrong.
 */
function declaredParts(schemas: InputSchemas): DeclaredPart[] {
  return (['params', 'query', 'headers', 'body', 'form'] as const).flatMap((part) => {
    const schema = schemas[part]
    if (!schema) return []
    const read = part === 'body' ? readerOfBody(schema) : readers[part]
    return [{ part, schema, read, validate: validator(schema, part) }]
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

/**
 * Turns the result of a handler into an answer. A declared answer contains what is declared and
 * nothing else.
 */
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

/** If every member is optional, so is the body. */
function readOptionalBody(c: RawContext) {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = c.incoming.headers
  const isAbsent = encoding === undefined && Number(length) === 0
  return isAbsent ? {} : readJsonBody(c)
}

const urlencoded = /^application\/x-www-form-urlencoded(?:;|$)/i

/** A repeated name makes a list, as in a query, and a schema for text refuses that. */
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
