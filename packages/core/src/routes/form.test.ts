import { afterAll, describe, expect, it } from 'vitest'
import { HttpError, route, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { startTestServer } from '../testing/test-server.ts'
import { defineRouter } from './router.ts'

class TokenError extends HttpError {
  readonly name = 'TokenError'
  readonly status = 400
  override wireBody() {
    return { error: 'invalid_grant' }
  }
}

const router = defineRouter({
  token: route
    .post('/token')
    .input({ form: t.Object({ grant: t.String(), age: t.Optional(t.Integer()) }) })
    .handler(async (c) => {
      const { form } = await c.data()
      if (form.grant === 'bad') throw new TokenError()
      return form
    }),
})

const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)

const send = async (body: string, type = 'application/x-www-form-urlencoded') => {
  const init = { method: 'POST', body, headers: { 'content-type': type } }
  const answer = await server.fetch('/token', init)
  return [answer.status, await answer.json()] as const
}

describe('a form', () => {
  it('is read as a query is', async () => {
    expect(await send('grant=a+b%20c&age=7&more=x')).toEqual([200, { grant: 'a b c', age: 7 }])
  })

  it('names nothing twice, and nothing that is no text', async () => {
    for (const body of ['grant=a&grant=b', 'age=7', '', 'grant=%ff', '__proto__=x&grant=a']) {
      expect((await send(body))[0]).toBe(400)
    }
  })

  it('is asked for by its media type', async () => {
    expect((await send('{"grant":"a"}', 'application/json'))[0]).toBe(415)
  })

  it('is refused in the form that its protocol prescribes', async () => {
    expect(await send('grant=bad')).toEqual([400, { error: 'invalid_grant' }])
  })

  it('stands in the OpenAPI document', async () => {
    const document = await (await server.fetch('/_core/openapi.json')).json()
    const { content } = document.paths['/token'].post.requestBody
    expect(content['application/x-www-form-urlencoded'].schema.properties).toHaveProperty('grant')
  })
})
