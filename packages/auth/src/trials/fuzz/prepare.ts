import { proofOf } from '../../proof/testing/test-proof.ts'
import type { TestAuth, TestKey, TestUser } from '../../testing.ts'
import type { Live } from './live/stage.ts'
import type { Change, Plan } from './plans.ts'

/** A request as it goes out. */
export interface Prepared {
  name: string
  method: string
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
  /** Texts that no answer may repeat. */
  secrets: string[]
}

export interface Callers {
  root: TestUser
  user: () => Promise<TestKey>
  admin: () => Promise<TestKey>
  machine: () => Promise<TestKey>
  /** Of an operator who acts as a user. */
  support: () => Promise<TestKey>
  /** Whose requests carry a proof instead of a token. */
  device: () => Promise<TestUser>
  agentToken: string
  /** Of an application, for what it may read of a user. */
  userinfoToken: string
}

type Make = () => Promise<Live>

/** Turns a plan into a request: gets what has to be there first, and breaks what the plan says. */
export async function prepare(
  auth: TestAuth,
  callers: Callers,
  { plan, live }: { plan: Plan; live: Make | undefined },
): Promise<Prepared> {
  const isLive = plan.isLive && live !== undefined && plan.caller === 'its own'
  const given = isLive ? await live() : {}
  const { body, form, query = plan.query, params = plan.params } = given
  const values = plan.part === 'query' ? query : (form ?? body ?? plan.body)
  const method = plan.wrongMethod || plan.method
  const isText = plan.part === 'body' || plan.part === 'form'
  const isForm = plan.part === 'form'
  const changed = changedOf(values as object, plan.change, plan.part !== 'body')
  const content = isText && !['GET', 'HEAD'].includes(method) ? changed : undefined
  const search = plan.part === 'query' ? asQuery(changed) : ''
  const target = `${pathOf(plan, params)}${search === '' ? '' : `?${search}`}`
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const signed = await credentialOf(auth, callers, { plan, given, method, target, content })
  return {
    name: plan.name,
    method,
    target,
    headers: { ...(content && { 'content-type': type }), ...signed, ...plan.headers },
    body: content,
    secrets: secretsIn(values),
  }
}

function pathOf({ path, change }: Plan, params: object) {
  const odd =
    change.kind === 'replace' && change.at % 5 === 0 ? JSON.stringify(change.value) : undefined
  const segment = (name: string) => {
    const value = odd ?? asText((params as Record<string, unknown>)[name] ?? 'x')
    return encodeURIComponent(value.slice(0, 2000).toWellFormed()) || 'x'
  }
  return path.replaceAll(/:(\w+)/g, (_, name: string) => segment(name))
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** As much of it as a request line may have. */
const asQuery = (form: Buffer) =>
  form
    .toString()
    .toWellFormed()
    .replaceAll(/[^!-~]/gu, encodeURIComponent)
    .slice(0, 8000)

/** As JSON, or as a form and a query have it. */
function changedOf(values: object, change: Change, isForm: boolean): Buffer {
  const members = Object.entries(values ?? {})
  const [name = 'extra'] = members[change.at % Math.max(members.length, 1)] ?? []
  const { kind, value, text } = change
  if (kind === 'text') return Buffer.from(text)
  if (kind === 'replace') return textOf({ ...values, [name]: oddOf(members, name, change) }, isForm)
  if (kind === 'remove') return textOf({ ...values, [name]: undefined }, isForm)
  if (kind === 'add') return textOf({ ...values, role: 'superadmin', userId: value }, isForm)
  const whole = textOf(values, isForm)
  if (kind === 'cut') return whole.subarray(0, change.at % Math.max(whole.length, 1))
  if (kind === 'encoding') return Buffer.from(whole.toString(), 'utf16le')
  if (kind === 'none') return whole
  const second =
    kind === 'proto' ? '"__proto__":{"role":"superadmin"}' : `${JSON.stringify(name)}:1`
  return isForm
    ? Buffer.from(`${whole.toString()}&${encodeURIComponent(name)}=1`)
    : Buffer.from(whole.toString().replace(/\}$/, `${members.length > 0 ? ',' : ''}${second}}`))
}

/** Of an object, mostly a member of it. */
function oddOf(members: [string, unknown][], name: string, { at, value }: Change) {
  const [, inner] = members.find(([each]) => each === name) ?? []
  if (typeof inner !== 'object' || inner === null || at % 3 === 0) return value
  const [member = 'id'] = Object.keys(inner)
  return { ...inner, [member]: value }
}

function textOf(values: object, isForm: boolean) {
  if (!isForm) return Buffer.from(JSON.stringify(values) ?? '')
  const fields = Object.entries(values).filter(([, value]) => value !== undefined)
  const texts = fields.map(([name, value]) => [name, JSON.stringify(value).toWellFormed()])
  const plain = texts.map(([name, text]) => [name, text?.replace(/^"(.*)"$/s, '$1')])
  return Buffer.from(new URLSearchParams(plain as [string, string][]).toString())
}

interface Asked {
  plan: Plan
  given: Live
  method: string
  target: string
  content: Buffer | undefined
}

async function credentialOf(auth: TestAuth, callers: Callers, asked: Asked) {
  const { plan, given, method, target, content } = asked
  const { caller, access } = plan
  if (caller === 'garbage') return { authorization: inert(plan.garbage) }
  if (caller === 'agent' || plan.name === 'tools') {
    return { authorization: `Bearer ${callers.agentToken}` }
  }
  if (caller === 'its own' && plan.name.endsWith('Userinfo')) {
    return { authorization: `Bearer ${callers.userinfoToken}` }
  }
  if (caller === 'device') {
    const { key, userId: clientId } = await callers.device()
    const sent = { method, path: target, body: content?.toString() ?? '' }
    return proofOf({ key, clientId, now: auth.clock.now(), ...sent })
  }
  const signer =
    caller === 'nobody'
      ? undefined
      : caller === 'its own'
        ? (given.key ?? (await ownKey(callers, access)))
        : await callers[caller]()
  if (!signer) return {}
  const body = content && new Uint8Array(content)
  const url = `${auth.url}${target}`
  return auth.signerOf(signer)({ method, url, ...(body && { body }) })
}

function ownKey({ user, root }: Callers, access: Plan['access']) {
  if (access === 'superadmin' || access.startsWith('may ')) return root.key
  return ['public', 'setup', 'optional'].includes(access) ? undefined : user()
}

/** Of a header, what Node sends. */
const inert = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?')

const secretMembers =
  /password|token|secret|verifier|recoveryCode|challenge|deviceCode|^code$|refresh/i

function secretsIn(values: unknown): string[] {
  const entries = Object.entries(values ?? {}) as [string, unknown][]
  return entries.flatMap(([name, value]) =>
    secretMembers.test(name) && typeof value === 'string' && value.length >= 12 ? [value] : [],
  )
}
