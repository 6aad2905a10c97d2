import { createAuthApi, ProofOfWorkRequiredError, withWork } from '@svc/auth'
import { afterAll, expect, it } from 'vitest'
import { startTestWeb } from '../test-browser.ts'
import { serveFetch } from '../test-site.ts'

const web = await startTestWeb({ env: { SVC_AUTH_SEND_WORK_BITS: '6' } })
const site = await serveFetch(web.proxy.POST)
afterAll(async () => {
  await site.stop()
  await web.api.stop()
})

it('a browser gets the proof of work that is asked for through the proxy, and sends with it', async () => {
  const api = createAuthApi({ proxy: `http://localhost:${site.port}/api/rpc` })
  const body = { email: 'ada@example.com' }
  await expect(api.requestPasswordReset.call({ body })).rejects.toMatchObject({
    name: 'ProofOfWorkRequiredError',
    challenge: expect.any(String),
    bits: 6,
  })
  await expect(api.requestSignupLink.call({ body })).rejects.toBeInstanceOf(
    ProofOfWorkRequiredError,
  )
  const sent = await withWork((work) => api.requestSignupLink.call({ body: { ...body, ...work } }))
  expect(sent.success).toBe(true)
})
