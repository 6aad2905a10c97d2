import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { defineRouter, route, streamBody, t } from '@svc/core'
import { optionalAuth } from '../../authenticate/authenticate.ts'
import { getAuth, getOptionalAuth, requirePerson } from '../../caller/caller.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { startTestAuth, type TestKey } from '../../testing.ts'
import { type Message, signMessage } from './test-message.ts'

const router = defineRouter({
  me: route.get('/me').handler((c) => ({ userId: getAuth(c).userId, kind: getAuth(c).kind })),
  maybe: route
    .get('/maybe')
    .use([optionalAuth])
    .handler((c) => ({ userId: getOptionalAuth(c)?.userId ?? null })),
  person: route
    .get('/person')
    .use([requirePerson])
    .handler(() => 'in'),
  change: route
    .post('/change')
    .input({ body: t.Object({ a: t.Number() }) })
    .handler(async (c) => ({ a: (await c.data()).body.a })),
  poke: route.post('/poke').handler(() => 'poked'),
  upload: route
    .post('/upload')
    .input({ body: streamBody({ maxBytes: 1_000_000 }) })
    .handler(async (c) => ({ text: await text((await c.data()).body.stream()) })),
})

export interface Asked extends Partial<Omit<Message, 'url'>> {
  path?: string
  key?: TestKey
  /** What is sent in place of what was signed. */
  sent?: { path?: string; method?: string; body?: string; headers?: Record<string, string> }
  at?: { url: string }
}

export interface Answer {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they have just asked for
  body: any
  code?: string
  claim?: string
}

/** An application that takes message signatures, or not, with a user and a machine of theirs. */
export async function startSigning({ messageSignatures = true } = {}) {
  const env = { SVC_API_URL: 'https://api.example.com' }
  const auth = await startTestAuth({ router, env, options: { machines: { messageSignatures } } })
  const user = await auth.signedInUser()
  const machine = await machineOf(auth, user)

  /** A request as it was signed, but for what is sent in its place. */
  async function ask({ path = '/me', key = machine, sent = {}, at = auth, ...given }: Asked = {}) {
    const { method = 'GET', body = null } = given
    const now = auth.clock.now()
    const signed = await signMessage(key, { url: `${at.url}${path}`, now, ...given })
    return answerOf(`${at.url}${sent.path ?? path}`, {
      method: sent.method ?? method,
      headers: { ...signed, ...sent.headers },
      body: sent.body ?? body,
    })
  }
  const post = (asked: Asked = {}) =>
    ask({ path: '/change', method: 'POST', body: '{"a":1}', ...asked })

  return { auth, user, machine, ask, post }
}

export async function answerOf(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, init)
  const given = await answer.text()
  const body = given === '' ? null : JSON.parse(given)
  return {
    status: answer.status,
    body,
    code: body?.error?.code,
    claim: body?.claim ?? body?.error?.claim,
  }
}

/** What a refusal says, but for the id of the request. */
export const said = ({ status, body: { error, ...rest } }: Answer) =>
  JSON.stringify({ status, ...rest, error: { ...error, requestId: '' } })

export const sha512 = (body: string) =>
  `sha-512=:${createHash('sha512').update(body).digest('base64')}:`
