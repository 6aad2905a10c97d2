import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AccountProvider } from '@svc/web/account'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime.js'
import { Suspense } from 'react'
import { prerender } from 'react-dom/static'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { SettingsPage } from './settings-page.tsx'

vi.mock('next/headers.js', () => ({ headers: async () => new Headers() }))

const organizationId = '0198c1f2-7d1e-7c58-9f0a-3f2f1c7a5b10'
const organization = {
  organizationId,
  name: 'Acme',
  slug: 'acme',
  createdAt: '2030-01-01T00:00:00.000Z',
  roles: ['owner'],
  permissions: ['policy:update'],
  unmet: [],
}
const at = `/_auth/organizations/${organizationId}`

/** What the API responds to each path. */
const answers: Record<string, [status: number, body: object]> = {
  [`${at}/policies`]: [200, { requireSecondFactor: false, waysIn: ['github'] }],
  [`${at}/members`]: [200, { items: [] }],
}
const api = createServer(({ url = '' }, response) => {
  const [status, body] = answers[url.split('?')[0] ?? ''] ?? [404, {}]
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
afterAll(() => api.close())
beforeEach(() => {
  vi.stubEnv('SVC_API_URL', `http://127.0.0.1:${(api.address() as AddressInfo).port}`)
  vi.stubEnv('SVC_AUTH_SESSION_SECRET', 'Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne5Ai-oTq_')
  return () => vi.unstubAllEnvs()
})

const router = { refresh() {}, push() {}, replace() {}, prefetch() {}, back() {}, forward() {} }

async function drawn() {
  const page = await SettingsPage({ organization })
  const { prelude } = await prerender(
    <AppRouterContext value={router as never}>
      <AccountProvider locale="en">
        <Suspense>{page}</Suspense>
      </AccountProvider>
    </AppRouterContext>,
  )
  return new Response(prelude).text()
}

it('the settings are shown where the providers can’t be read, with the code of the error', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const error = { code: 'ServiceUnavailableError', message: 'Down.', requestId: 'request-7' }
  answers['/_auth/oauth/providers'] = [503, { error }]
  const html = await drawn()
  expect(html).toContain('Further ways can’t be shown now. The code of the error is request-7.')
  expect(html).toContain('Save the policies')
  // It is kept when the form is saved.
  expect(html).toMatch(/checked=""[^>]*\/><span>GitHub/)
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('request-7'), expect.any(Error))
  logged.mockRestore()

  answers['/_auth/oauth/providers'] = [200, { providers: [{ id: 'google' }] }]
  const whole = await drawn()
  expect(whole).toContain('Google')
  expect(whole).not.toContain('can’t be shown')
})
