import {
  type Arbitrary,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  string,
} from 'fast-check'
import { authContract } from '../../auth-contract.ts'
import type { Access } from '../../capability/contract.ts'
import { oddValues, type Schema, valuesOf } from './values.ts'

/** What kind of request is made of an operation. */
export interface Plan {
  name: string
  method: string
  path: string
  access: Access
  part: 'body' | 'form' | 'query' | 'none'
  isLive: boolean
  body: unknown
  query: Record<string, unknown>
  params: Record<string, unknown>
  change: Change
  caller:
    | 'its own'
    | 'nobody'
    | 'user'
    | 'admin'
    | 'machine'
    | 'support'
    | 'device'
    | 'agent'
    | 'garbage'
  headers: Record<string, string>
  wrongMethod: string
  garbage: string
}

/** What is done to it before it is sent. */
export interface Change {
  kind: 'none' | 'replace' | 'remove' | 'add' | 'twice' | 'proto' | 'text' | 'cut' | 'encoding'
  at: number
  value: unknown
  text: string
}

const mostly = <Value>(value: Value, others: Arbitrary<Value>, weight: number) =>
  oneof({ weight, arbitrary: constant(value) }, { weight: 1, arbitrary: others })

const changes: Arbitrary<Change> = record({
  kind: oneof(
    { weight: 8, arbitrary: constant('none' as const) },
    { weight: 5, arbitrary: constant('replace' as const) },
    { weight: 2, arbitrary: constantFrom('remove' as const, 'add' as const) },
    {
      weight: 1,
      arbitrary: constantFrom<Change['kind']>('twice', 'proto', 'text', 'cut', 'encoding'),
    },
  ),
  at: nat(99),
  value: oddValues,
  text: oneof(
    string({ unit: 'binary', maxLength: 100 }),
    constantFrom('', '[]', 'null', '{', '"', '{"a":', '\uFEFF{}', '['.repeat(50_000), 'a=b&a=c'),
    constantFrom(
      '{"__proto__":{"role":"superadmin"}}',
      '1e999',
      '{}{}',
      `"${'x'.repeat(1_100_000)}"`,
    ),
  ),
})

const headers: Arbitrary<Record<string, string>> = mostly<Record<string, string>>(
  {},
  constantFrom<Record<string, string>>(
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/xml' },
    { 'content-type': '' },
    { 'content-type': 'application/json;;;=,' },
    { 'content-encoding': 'gzip' },
    { accept: 'application/problem+json' },
    { accept: 'text/html,*/*;q=0' },
    { 'accept-language': 'x-'.repeat(3000) },
    { 'x-request-id': '../../etc/passwd' },
    { 'x-forwarded-for': '::1%lo, 1.2.3.4' },
    { 'user-agent': 'unknown' },
    { 'x-http-method-override': 'DELETE' },
    { cookie: 'svc_oauth_pending=%00; svc_oauth_csrf=x; a' },
    { expect: '100-continue' },
    { range: 'bytes=0-1' },
    { 'if-none-match': '*' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'x-svc-auth-profile': 'clientProofV1', 'x-svc-client-id': 'x', 'x-svc-key-id': 'x' },
    { dpop: 'a.b.c' },
  ),
  7,
)

interface Route {
  method: string
  path: string
  input: Partial<Record<'params' | 'query' | 'body' | 'form', Schema>>
}

function plansOf(name: string, { method, path, input }: Route, access: Access): Arbitrary<Plan> {
  const part = input.body ? 'body' : input.form ? 'form' : input.query ? 'query' : 'none'
  const values = (schema: Schema | undefined) => (schema ? valuesOf(schema) : constant({}))
  return record({
    name: constant(name),
    method: constant(method),
    path: constant(path),
    access: constant(access),
    part: constant<Plan['part']>(part),
    isLive: integer({ min: 0, max: 9 }).map((chance) => chance < 4),
    body: values(input.body ?? input.form),
    query: values(input.query) as Arbitrary<Record<string, unknown>>,
    params: values(input.params) as Arbitrary<Record<string, unknown>>,
    change: changes,
    caller: mostly<Plan['caller']>(
      'its own',
      constantFrom<Plan['caller']>(
        'nobody',
        'user',
        'admin',
        'machine',
        'support',
        'device',
        'agent',
        'garbage',
      ),
      5,
    ),
    headers,
    wrongMethod: mostly(
      '',
      constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'QUERY'),
      25,
    ),
    garbage: oneof(
      string({ unit: 'binary-ascii', maxLength: 300 }),
      constantFrom(
        'Bearer',
        'Bearer ',
        'Bearer a.b.c',
        'Basic Og==',
        'OTT x',
        'DPoP x',
        'Bearer ..',
      ),
      integer().map((number) => `Bearer eyJhbGciOiJub25lIn0.e30.${number}`),
    ),
  })
}

const object = (properties: Record<string, Schema> = {}): Schema => ({ type: 'object', properties })
const text: Schema = { type: 'string' }
const ofLogout = object({
  id_token_hint: text,
  client_id: text,
  post_logout_redirect_uri: text,
  state: text,
})

/** Routes that are no operation of the service, and are in the same application. */
const others: Record<string, Route> = {
  tools: { method: 'POST', path: '/mcp', input: { body: object({ text }) } },
  health: { method: 'GET', path: '/_core/health', input: {} },
  live: { method: 'GET', path: '/_core/health/live', input: {} },
  ready: { method: 'GET', path: '/_core/health/ready', input: {} },
  time: { method: 'GET', path: '/_core/time', input: {} },
  streamToken: { method: 'POST', path: '/events/token', input: {} },
  stream: {
    method: 'GET',
    path: '/events/stream',
    input: { query: object({ events: text, token: text }) },
  },
  socket: { method: 'GET', path: '/events/ws', input: { query: object({ token: text }) } },
  metadata: { method: 'GET', path: '/.well-known/oauth-authorization-server', input: {} },
  openidConfiguration: { method: 'GET', path: '/.well-known/openid-configuration', input: {} },
  openidKeys: { method: 'GET', path: '/_auth/oauth2/jwks', input: {} },
  getOpenidUserinfo: { method: 'GET', path: '/_auth/oauth2/userinfo', input: {} },
  postOpenidUserinfo: { method: 'POST', path: '/_auth/oauth2/userinfo', input: {} },
  getOpenidLogout: { method: 'GET', path: '/_auth/oauth2/logout', input: { query: ofLogout } },
  postOpenidLogout: { method: 'POST', path: '/_auth/oauth2/logout', input: { form: ofLogout } },
  describeOpenidLogout: {
    method: 'GET',
    path: '/_auth/oauth2/logout/request',
    input: { query: object({ request: text }) },
  },
  authorizeByForm: {
    method: 'POST',
    path: '/_auth/oauth2/authorize',
    input: { form: object({ client_id: text, redirect_uri: text, state: text }) },
  },
  nothing: { method: 'GET', path: '/nothing/:here', input: { params: object({ here: text }) } },
}

/** Any request to any operation. */
export const plans: Arbitrary<Plan> = oneof(
  ...Object.entries(authContract).map(([name, { operation, access }]) =>
    plansOf(name, operation as Route, access),
  ),
  ...Object.entries(others).map(([name, route]) =>
    plansOf(name, route, name === 'streamToken' ? 'bearer' : 'public'),
  ),
)
