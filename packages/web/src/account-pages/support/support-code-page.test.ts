import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { startTestWeb } from '../../test-browser.ts'
import { SupportCodePage } from '../next.ts'

const request = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => request.headers }))

const web = await startTestWeb({ options: { support: { consent: 'none' } } })
afterAll(web.api.stop)
beforeEach(() => {
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

it('the page of the code is not there where support needs no code', async () => {
  const owner = web.browser()
  await owner.call('login', await web.api.createUser())
  request.headers = new Headers({ cookie: owner.cookieHeader() })
  // The API's clock stands still, and a page signs with the machine's.
  web.api.clock.set(new Date())
  const shown = SupportCodePage({}).catch(({ digest }: { digest?: string }) => digest)
  expect(await shown).toMatch(/;404$/)
})
