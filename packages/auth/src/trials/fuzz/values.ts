import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  jsonValue,
  nat,
  oneof,
  record,
  string,
  stringMatching,
} from 'fast-check'
import { testPassword } from '../../testing.ts'

export interface Schema {
  type?: string
  anyOf?: Schema[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  patternProperties?: Record<string, Schema>
}

const uuid = nat(3).map((number) => `00000000-0000-4000-8000-00000000000${number}`)
const email = nat(9).map((number) => `somebody-${number}@example.com`)
const named: Record<string, Arbitrary<unknown>> = {
  email,
  target: email,
  phone: nat(9).map((number) => `+1202555010${number}`),
  password: constant(testPassword),
  currentPassword: constant(testPassword),
  newPassword: constant(testPassword),
  locale: constantFrom('en', 'ko-KR', 'de'),
  timezone: constantFrom('UTC', 'Asia/Seoul'),
  website: constant('https://example.com/me'),
  avatarUrl: constant('https://example.com/me.png'),
  returnPath: constant('/welcome'),
  returnUrl: constant('/welcome'),
  role: constantFrom('user', 'admin'),
  permissions: constantFrom([], ['user:read']),
  username: string({ minLength: 3, maxLength: 12, unit: 'grapheme-ascii' }),
  provider: constantFrom('addresses', 'google', 'kakao', 'naver', 'github', 'apple', 'nobody'),
  from: constant('2030-01-01'),
  to: constant('2031-01-01T00:00:00Z'),
  code: nat(999_999).map((code) => String(code).padStart(6, '0')),
  roleId: uuid,
  userId: uuid,
  grantId: uuid,
  passkeyId: uuid,
  invitationId: uuid,
  waitMillis: constant(0),
}

/** Values that a schema takes; those of well-known members are such as a client would send. */
export function valuesOf(schema: Schema, name = ''): Arbitrary<unknown> {
  if (named[name] && !schema.properties) return named[name]
  if ('const' in schema) return constant(schema.const)
  if (schema.anyOf) return oneof(...schema.anyOf.map((each) => valuesOf(each, name)))
  if (schema.properties) return objectsOf(schema)
  if (schema.type === 'string') return stringsOf(schema)
  if (schema.type === 'integer') return integersOf(schema)
  if (schema.type === 'number') return double()
  if (schema.type === 'boolean') return boolean()
  if (schema.type === 'null') return constant(null)
  if (schema.type === 'array') return array(valuesOf(schema.items ?? {}), { maxLength: 3 })
  if (schema.patternProperties) return dictionary(string({ maxLength: 8 }), jsonValue())
  return jsonValue()
}

function objectsOf({ properties = {}, required = [] }: Schema) {
  const members = Object.entries(properties).map(([name, each]) => [name, valuesOf(each, name)])
  const requiredKeys = required.length > 0 ? required : []
  return record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>, { requiredKeys })
}

function stringsOf({ pattern, minLength = 0, maxLength = 64 }: Schema) {
  if (pattern === undefined) return string({ minLength, maxLength: Math.min(maxLength, 64) })
  return stringMatching(new RegExp(pattern.replaceAll(/\{(\d+),\d{3,}\}/g, '{$1,9}'))).filter(
    (text) => text.length <= maxLength,
  )
}

function integersOf({ minimum = -1e9, maximum = 1e9 }: Schema) {
  return oneof(integer({ min: minimum, max: maximum }), constantFrom(minimum, maximum))
}

const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`

const oddTexts =
  `\u0000|a\u0000b|\ud800|\u202e|\r\nx-injected: 1|| |%00|../..|' or 1=1; --|<script>|__proto__`
    .split('|')
    .concat('constructor', 'null', '0', '-1', '1e309', '9'.repeat(400), 'superadmin')
    .concat('\uFDFA'.repeat(500), 'x'.repeat(70_000))

const oddObjects: unknown[] = [{}, { $ne: 1 }, { toString: 1, length: 3 }, [], [[]], [null]]
const oddNumbers = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, Number.MIN_VALUE]
const oddOthers = [...oddObjects, ...oddNumbers, null, true, false]

/** What stands in the place of a member that should be something else. */
export const oddValues: Arbitrary<unknown> = oneof(
  constantFrom(...oddTexts),
  constantFrom<unknown>(...oddOthers, JSON.parse(deep)),
  jsonValue({ maxDepth: 3 }),
  string({ unit: 'binary', maxLength: 200 }),
)
