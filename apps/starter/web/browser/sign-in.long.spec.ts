import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

describe('signing in', () => {
  it('says that many people are signing in, and goes on by itself', async () => {
    const user = await app.api.createUser()
    const { page, web, signIn, see } = await newVisitor()
    const places: (string | undefined)[] = []
    await page.route('**/api/rpc/login', (route) => {
      places.push(route.request().headers()['x-svc-place'])
      if (places.length > 1) return route.continue()
      const json = { __type: 'ServiceUnavailableError', retryAfter: 12, place: 'a-place' }
      return route.fulfill({ status: 503, json })
    })
    await signIn(user)
    await see('Your turn comes in about 15 seconds.')
    await page.getByRole('button', { name: 'Waiting…' }).waitFor()
    await page.waitForURL(`${web}/`)
    expect(places).toEqual([undefined, 'a-place'])
  })
})
