import * as frameworkErrors from '../errors/contract.ts'
import { type ErrorFacts, HttpError } from '../errors/errors.ts'
import type { ErrorClass } from '../routes/contract.ts'

/**
 * There was no answer: the network or the server is down, or the time was up. It is unknown whether
 * the call took effect.
 */
export class ApiUnreachableError extends HttpError {
  readonly name = 'ApiUnreachableError'
  readonly status = 503
}

type Instances<Classes> = {
  [Name in keyof Classes]: Classes[Name] extends new (
    ...args: never[]
  ) => infer Instance
    ? Instance
    : never
}[keyof Classes]

/**
 * The errors that any operation may be refused with. Each has a literal `name`, so that a caller
 * can tell them apart.
 */
export type FrameworkError = Instances<typeof frameworkErrors> | ApiUnreachableError

/** An application's own error classes; the framework's are known. */
export type ErrorClasses = readonly ErrorClass[]

type Revivable = new (facts: ErrorFacts) => HttpError

/** An error whose class this client does not know. `name` is the server's. */
class UnknownHttpError extends HttpError {
  readonly name: string
  readonly status: number

  constructor(name: string, status: number, facts: ErrorFacts) {
    super(facts)
    this.name = name
    this.status = status
  }
}

/** The error of an answer, as an instance of its class. */
export function errorFrom(answer: Response, body: unknown, classes: ErrorClasses = []): HttpError {
  const { __type, message, error, ...fields } = envelopeOf(body)
  // An error in the form of another protocol has a code and no class.
  const name = [__type, error?.code, 'Error'].find((each) => typeof each === 'string') as string
  const requestId = error?.requestId ?? answer.headers.get('x-request-id') ?? undefined
  const facts = {
    ...fields,
    message: message ?? error?.message ?? `${answer.status} ${answer.statusText}`,
    requestId,
  }
  const known = classNamed(name, classes)
  return known ? new known(facts) : new UnknownHttpError(name, answer.status, facts)
}

interface Envelope {
  __type?: unknown
  message?: string
  error?: { code?: unknown; message?: string; requestId?: string }
}

function envelopeOf(body: unknown): Envelope {
  return typeof body === 'object' && body !== null ? body : {}
}

const framework = Object.values(frameworkErrors) as unknown as Revivable[]
const namesOfClasses = new Map<Revivable, string>()

/** Only instances know the literal `name` of a class: a bundler may rename the class itself. */
function classNamed(name: string, classes: ErrorClasses) {
  return [...(classes as unknown as Revivable[]), ...framework].find((one) => nameOf(one) === name)
}

function nameOf(known: Revivable) {
  let name = namesOfClasses.get(known)
  if (name === undefined) {
    name = new known({}).name
    namesOfClasses.set(known, name)
  }
  return name
}
