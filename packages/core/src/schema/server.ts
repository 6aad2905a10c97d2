import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TValidationError } from 'typebox/error'
import { Default } from 'typebox/value'
import type { InvalidField } from '../errors/contract.ts'
import { coercion } from './coerce.ts'
import { faultMessage } from './fault-message.ts'
import {
  type AnySchema,
  isStandardSchema,
  jsonSchemaOf,
  type StandardIssue,
  type StandardSchema,
} from './schema.ts'
import { strip } from './strip.ts'

export { strip } from './strip.ts'

export type Validated =
  | { readonly value: unknown; readonly fields?: undefined }
  | { readonly fields: InvalidField[] }

export type Validator = (value: unknown) => Validated | Promise<Validated>

// A hostile body can have thousands of faults. The first ones are enough. TypeBox stops at eight
// too.
const reportedFaults = 8

const arriveAsText = new Set(['params', 'query', 'headers', 'form'])

/**
 * Compiles a schema, once at boot. The path of every fault begins with the place of the value, such
 * as `body`.
 */
export function validator(
  schema: AnySchema,
  place: string,
  { isText = arriveAsText.has(place) } = {},
): Validator {
  return isStandardSchema(schema)
    ? standardValidator(schema, place)
    : jsonValidator(schema, { place, isText })
}

function jsonValidator(schema: TSchema, { place, isText }: { place: string; isText: boolean }) {
  const compiled = Compile(schema)
  const prepare = isText ? coercion(schema) : null
  const clean = strip(schema)
  const fill = defaults(schema, place)
  const isNamed = namesOf(schema)
  return (given: unknown): Validated => {
    const value = prepare ? prepare(given) : given
    const complete = fill ? fill(value) : value
    const cleaned = clean ? clean(complete) : complete
    if (compiled.Check(cleaned)) return { value: cleaned }
    const found = compiled.Errors(cleaned).flatMap((fault) => {
      const message = faultMessage(schema, fault)
      return placesOf(fault).map((keys) => ({ path: fieldPath(place, keys, isNamed), message }))
    })
    return { fields: eachOnce(found).slice(0, reportedFaults) }
  }
}

/** TypeBox reports missing members together, at their object. */
function placesOf({ instancePath, keyword, params }: TValidationError): string[][] {
  const keys = instancePath.split('/').slice(1)
  return keyword === 'required' ? params.requiredProperties.map((name) => [...keys, name]) : [keys]
}

/** Fills in defaults. Query and headers belong to the request, and others read them too. */
function defaults(schema: TSchema, place: string) {
  if (!JSON.stringify(schema).includes('"default":')) return null
  return arriveAsText.has(place)
    ? (value: unknown) => Default(schema, { ...(value as object) })
    : (value: unknown) => Default(schema, value)
}

/** The members of a union report the same fault of a value. */
function eachOnce(fields: InvalidField[]) {
  const texts = fields.map(({ path, message }) => `${path} ${message}`)
  return fields.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
}

function standardValidator(schema: StandardSchema, place: string): Validator {
  const isNamed = namesOf(schema)
  return async (given) => {
    const result = await schema['~standard'].validate(given)
    if (!result.issues) return { value: result.value }
    const issues = result.issues.slice(0, reportedFaults)
    return { fields: issues.map((issue) => standardField(issue, given, { place, isNamed })) }
  }
}

type IsNamed = (name: string) => boolean

function standardField(
  issue: StandardIssue,
  given: unknown,
  { place, isNamed }: { place: string; isNamed: IsNamed },
): InvalidField {
  const keys = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step))
  const submitted = keys.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  )
  return {
    path: fieldPath(place, keys.map(String), isNamed),
    message: quotes(issue.message, submitted, isNamed) ? 'is not valid' : issue.message,
  }
}

/** A foreign library may quote the sent value in its message, and that may be a password. */
function quotes(message: string, sent: unknown, isNamed: IsNamed): boolean {
  if (typeof sent === 'string' || typeof sent === 'number') {
    return sent !== '' && message.includes(String(sent))
  }
  if (typeof sent !== 'object' || sent === null) return false
  return Object.entries(sent).some(
    ([name, member]) =>
      (!isNamed(name) && message.includes(name)) ||
      (!isShort(member) && quotes(message, member, isNamed)),
  )
}

/** So short that it may be in any message, and is not a secret. */
function isShort(member: unknown) {
  return typeof member === 'string'
    ? member.length < 4
    : typeof member === 'number' && member < 1000
}

/** A name that only the caller knows may be a secret in the wrong place, or a megabyte long. */
function fieldPath(place: string, keys: string[], isNamed: IsNamed) {
  return [place, ...keys.map((key) => (isNamed(key) ? key : '*'))].join('.')
}

/**
 * Distinguishes the names that a schema declares, and indexes of a list, from others. It is
 * computed at the first fault.
 */
function namesOf(schema: AnySchema): IsNamed {
  let declared: Set<string> | null | undefined
  return (name) => {
    if (declared === undefined) declared = declaredNames(schema)
    return /^\d{1,5}$/.test(name) || (declared?.has(name) ?? /^[a-z_]\w{0,39}$/i.test(name))
  }
}

/** Null for a schema whose library can't say. */
function declaredNames(schema: AnySchema) {
  try {
    const names = new Set<string>()
    const document = jsonSchemaOf(schema)
    if (Object.keys(document).length === 0) return null
    collectNames(document, names)
    return names
  } catch {
    return null
  }
}

function collectNames(document: object, names: Set<string>) {
  for (const [key, member] of Object.entries(document)) {
    if (typeof member !== 'object' || member === null) continue
    if (key === 'properties') for (const name of Object.keys(member)) names.add(name)
    if (key === 'required' && Array.isArray(member)) for (const name of member) names.add(name)
    collectNames(member as object, names)
  }
}
