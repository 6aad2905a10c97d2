import { authErrors } from '@svc/auth'
import { startTestAuth } from '@svc/auth/testing'
import { defineRouter, type HttpError, route, t } from '@svc/core'
import { afterAll, expect, it } from 'vitest'
import { koreanWords } from './korean-words.ts'
import { sayIn } from './say.ts'

const classes = authErrors as readonly (new (facts: object) => HttpError)[]
const byName = new Map(classes.map((Class) => [new Class({}).name, Class]))

const refuse = route
  .get('/refuse/:name')
  .skip(['auth'])
  .input({ params: t.Object({ name: t.String() }) })
  .handler(async (c) => {
    const { params } = await c.data()
    const Class = byName.get(params.name)
    throw Class ? new Class({}) : new Error('There is no such refusal.')
  })

const auth = await startTestAuth({ router: defineRouter({ refuse }) })
afterAll(auth.stop)
const { fromApi } = sayIn(koreanWords, 'ko')

async function messageOf(name: string) {
  const answer = await fetch(`${auth.url}/refuse/${name}`)
  const { error } = (await answer.json()) as { error: { message: string } }
  return error.message
}

it('each refusal of sign-in is said in Korean, where the application gave it no text of its own', async () => {
  // These are words for programs: pages have sentences of their own for what they say, or never meet them.
  const ofPrograms = [
    'ApprovalRefusedError',
    'ApprovalRequiredError',
    'OAuth2Error',
    'ProofError',
    'RequestBindingError',
    'WeakPasswordError',
  ]
  const names = [...byName.keys()].filter((name) => !ofPrograms.includes(name))
  const messages = await Promise.all(names.map(messageOf))
  expect(messages.filter((message) => fromApi(message) === message)).toEqual([])
})

it('the roles that every API has are named in Korean', async () => {
  for (const role of ['user', 'admin', 'superadmin']) {
    const { key } = await auth.signedInUser({ role })
    const { body } = await auth.call('getAuthSession', undefined, key)
    const { displayName } = (body as { role: { displayName: string } }).role
    expect(fromApi(displayName)).toMatch(/^\p{Script=Hangul}[\p{Script=Hangul} ]+$/u)
  }
})
