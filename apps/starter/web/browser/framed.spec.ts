import { describe, expect, it } from 'vitest'
import { requestOf, startAgent } from './agent-on-this-machine.ts'
import { ask } from './ask.ts'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'

describe('an application that does not say who may frame it', () => {
  it('has no consent in a frame', async () => {
    const { page, open } = await signedInVisitor(await app.api.createUser())
    const path = `/_auth/oauth2/authorize?${requestOf(await startAgent()).asked}`
    await open('/')
    await page.evaluate((src) => {
      const frame = Object.assign(document.createElement('iframe'), { src })
      document.body.replaceChildren(frame)
    }, path)
    const framed = page.frameLocator('iframe')
    await framed.getByText('Another page shows this one inside it').waitFor()
    const decided: string[] = []
    page.on('request', (request) => decided.push(request.url()))
    await framed.getByRole('button', { name: 'Allow', exact: true }).dispatchEvent('click')
    await page.waitForLoadState('networkidle')
    expect(decided.filter((url) => url.includes('/api/rpc/'))).toEqual([])
  })
})

it('the consent page without scripts has a policy of its own, and is framed by no page', async () => {
  const signedOut = await ask('/no-scripts/consent?client_id=none')
  expect([signedOut.status, signedOut.headers['cache-control']]).toEqual([303, 'no-store'])
  const { page, open } = await signedInVisitor(await app.api.createUser())
  const answer = await open('/no-scripts/consent?client_id=none')
  await page.getByRole('heading', { name: 'This request does not work' }).waitFor()
  expect(answer?.status()).toBe(400)
  expect(answer?.headers()).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'none';.* frame-ancestors 'none'$/,
    ),
  })
})
