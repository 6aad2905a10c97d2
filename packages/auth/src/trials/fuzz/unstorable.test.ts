import { sample } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { authContract } from '../../auth-contract.ts'
import { changeService } from '../../running/test-change-held.ts'
import { startTestAuth, type TestAuth, type TestUser } from '../../testing.ts'
import { application, env, readDocument } from './application.ts'
import { faultsOf } from './judge.ts'
import { liveRequests } from './live/live.ts'
import type { Live } from './live/stage.ts'
import { withQuickPeople } from './people.ts'
import { closeConnections, send } from './send.ts'
import { type Schema, valuesOf } from './values.ts'

/*
 * PostgreSQL can't store NUL in a text, and neither NUL nor half of a surrogate pair in JSON. Every text that an
 * operation takes is sent with one of these. The operation must refuse it as the caller's error, or store the text
 * without it, and must not lose any later effect.
 */
const unstorable = { NUL: 'a\u0000b', 'half of a pair': 'a\ud800b' }
/** As they look in a query and a form. The half is three bytes that are not valid UTF-8. */
const inForms = { NUL: 'a%00b', 'half of a pair': 'a%ED%A0%80b' }

const document = readDocument()
let auth: TestAuth
let root: TestUser
let live: Partial<Record<string, () => Promise<Live>>>

beforeAll(async () => {
  auth = await withQuickPeople(await startTestAuth({ definition: application, env }))
  // The templates of these trials are off: their notices would not be queued.
  const { notifier } = auth.auth
  changeService(auth.server.infrastructure, { notifier: { ...notifier, sends: () => true } })
  root = await auth.signedInUser({ role: 'superadmin' })
  live = liveRequests(auth, root)
})
afterAll(async () => {
  closeConnections()
  await auth.stop()
})

// The answer is 400, and nothing was done.
const refusedByStore = 'the database refused a request'

type Path = readonly (string | number)[]

/** Where a schema takes a text of any kind, or a value of any type. */
function textsOf(schema: Schema, at: Path = []): Path[] {
  if (schema.anyOf) return schema.anyOf.flatMap((each) => textsOf(each, at))
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, each]) => textsOf(each, [...at, name]))
  }
  if (schema.type === 'array') return textsOf(schema.items ?? {}, [...at, 0])
  if (schema.patternProperties)
    return [
      [...at, 'member'],
      [...at, 'members', 'of', 'it'],
    ]
  const isText = schema.type === 'string' || (schema.type === undefined && !('const' in schema))
  return isText ? [at] : []
}

/** The same with another value in one place. */
function withText(values: unknown, [first, ...rest]: Path, text: string): unknown {
  if (first === undefined) return text
  const inner = withText((values as Record<string, unknown> | undefined)?.[first], rest, text)
  return typeof first === 'number' ? [inner] : { ...(values as object), [first]: inner }
}

interface Operation {
  method: string
  path: string
  input: Partial<Record<'params' | 'query' | 'body' | 'form', Schema>>
}
type Part = 'query' | 'body' | 'form'

const given = (schema: Schema | undefined) =>
  (schema ? (sample(valuesOf(schema), { numRuns: 1, seed: 1 })[0] as object) : {}) ?? {}

const operations = Object.entries(authContract).map(([name, { operation, access }]) => {
  const { method, path, input } = operation as Operation
  const part: Part = input.body ? 'body' : input.form ? 'form' : 'query'
  return { name, method, path, input, access, part, texts: textsOf(input[part] ?? {}) }
})
type Asked = (typeof operations)[number]

async function ask(asked: Asked, at: Path, kind: keyof typeof unstorable) {
  const { name, method, part, input, access } = asked
  const own = (await live[name]?.()) ?? {}
  const params = (own.params ?? given(input.params)) as Record<string, string>
  const values = withText(
    own[part] ?? given(input[part]),
    at,
    part === 'body' ? unstorable[kind] : '',
  )
  const path = asked.path.replaceAll(/:(\w+)/g, (_, each: string) => params[each] ?? 'x')
  const text = formOf(values as object, at, inForms[kind])
  const target = part === 'query' ? `${path}?${text}` : path
  const body =
    part === 'query' ? undefined : Buffer.from(part === 'form' ? text : JSON.stringify(values))
  const type = part === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const prepared = {
    name,
    method,
    target,
    headers: { ...(body && { 'content-type': type }) },
    body,
    secrets: [],
  }
  const key = own.key ?? (await signerFor(access))
  if (key) {
    const url = `${auth.url}${target}`
    const signed = await auth.signerOf(key)({ method, url, ...(body && { body }) })
    Object.assign(prepared.headers, signed)
  }
  return { prepared, answer: await send(auth.url, prepared) }
}

async function signerFor(access: string) {
  if (access === 'superadmin' || access.startsWith('may ')) return root.key
  return ['public', 'setup', 'optional'].includes(access)
    ? undefined
    : (await auth.signedInUser()).key
}

/** Everything else stands for itself; the one text is in bytes already. */
function formOf(values: object, [name]: Path, text: string) {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([each, value]) => `${each}=${each === name ? text : encodeURIComponent(String(value))}`)
    .join('&')
}

const taking = operations.filter(({ texts }) => texts.length > 0)

describe.each(orFew(taking, 16))('$name', (asked) => {
  it.each(Object.keys(unstorable) as (keyof typeof unstorable)[])(
    'takes no %s, or makes it harmless, and loses nothing that has to follow',
    async (kind) => {
      for (const at of asked.texts) {
        auth.logged.length = 0
        const { prepared, answer } = await ask(asked, at, kind)
        const faults = faultsOf(prepared, answer, document.get(asked.name))
        const lost = auth.logged.filter(
          ({ level, msg }) => level === 'error' || (level === 'warn' && msg !== refusedByStore),
        )
        expect({ at, faults, lost }).toEqual({ at, faults: [], lost: [] })
        if (answer.status < 400) expect(answer.text).not.toMatch(/\\u0000|\\ud800/i)
      }
    },
  )
})
