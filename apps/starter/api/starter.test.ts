import { routeMapOf } from '@svc/core'
import { startTestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { noticePosted } from './events.ts'
import { routeMap } from './route-map.generated.ts'
import { type AppRouter, appRouter } from './router.ts'
import server from './server.ts'

const starter = await startTestServer(server, { database: true })
afterAll(starter.stop)

const api = starter.api<AppRouter>()

async function post(text: string) {
  starter.clock.advance('1s')
  return api.createNotice.call({ body: { text } })
}

describe('createNotice', () => {
  it('answers 201 with the notice', async () => {
    const answer = await starter.fetch('/notices', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello' }),
    })

    expect(answer.status).toBe(201)
    expect(await answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      text: 'Hello',
      author: 'anonymous',
      createdAt: starter.clock.now().toISOString(),
    })
  })

  it('refuses what no text can hold', async () => {
    expect(await api.createNotice.try({ body: { text: 'a\0b' } })).toMatchObject({
      ok: false,
      error: { name: 'BadRequestError' },
    })
  })

  it('takes 1 to 500 characters', async () => {
    expect(await post('x'.repeat(500))).toMatchObject({ author: 'anonymous' })
    for (const text of ['', 'x'.repeat(501)]) {
      const answer = await api.createNotice.try({ body: { text } })
      expect(answer).toMatchObject({
        ok: false,
        error: { name: 'ValidationError', fields: [{ path: 'body.text' }] },
      })
    }
  })
})

describe('notice', () => {
  it('is emitted for a posted notice, and logged by a job', async () => {
    const emitted: unknown[] = []
    const unsubscribe = noticePosted.subscribe((payload) => emitted.push(payload))
    const { id, text, author } = await post('Heard by all')
    unsubscribe()

    expect(emitted).toEqual([{ id, text, author }])
    await vi.waitFor(() => {
      expect(starter.logged).toContainEqual(
        expect.objectContaining({ noticeId: id, msg: 'a notice was posted' }),
      )
    }, 10_000)
  })
})

describe('listNotices', () => {
  it('lists the newest first, page by page', async () => {
    const posted = [await post('one'), await post('two'), await post('three')].toReversed()
    const { data, meta } = await api.listNotices.call({ query: { page: 1, limit: 3 } })

    expect(data).toEqual(posted)
    expect(meta.pagination).toMatchObject({ page: 1, limit: 3 })
    const second = await api.listNotices.call({ query: { page: 2, limit: 2 } })
    expect(second.data[0]).toEqual(posted[2])
  })

  it('has 20 on a page unless asked otherwise, and 100 at most', async () => {
    for (let count = 0; count < 21; count++) await post(`notice ${count}`)

    expect((await api.listNotices.call({ query: {} })).data).toHaveLength(20)
    const answer = await api.listNotices.try({ query: { limit: 101 } })
    expect(answer).toMatchObject({ ok: false, error: { fields: [{ path: 'query.limit' }] } })
  })

  it('answers a page beyond the last with nothing on it', async () => {
    const { data, meta } = await api.listNotices.call({ query: { page: 1_000_000 } })
    expect(data).toEqual([])
    expect(meta.pagination.total).toBeGreaterThan(0)
  })
})

it('has the route map of its router', () => {
  expect(routeMap).toEqual(routeMapOf(appRouter))
})
