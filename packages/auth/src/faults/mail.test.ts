import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { startTestAuth } from '../testing.ts'

const silent = createServer(() => {}).listen(0, '127.0.0.1')
await once(silent, 'listening')
const { port } = silent.address() as AddressInfo
// Nobody listens on a port that nobody may use without being root.
const providers = { down: 'smtp://127.0.0.1:1', silent: `smtp://127.0.0.1:${port}` }
const working = await startTestAuth()
afterAll(async () => {
  await working.stop()
  silent.close()
})

async function answerOf(auth: typeof working, target: string) {
  const began = performance.now()
  const code = { target, targetType: 'email', purpose: 'login' }
  const { status, headers, body } = await auth.call('sendVerificationCode', code)
  const names = [...headers.keys()].toSorted()
  return { status, names, members: Object.keys(body), millis: performance.now() - began }
}

it.each(Object.entries(providers))(
  'a mail provider that is %s changes nothing of what sendVerificationCode answers',
  async (_how, SVC_MAIL_URL) => {
    const auth = await startTestAuth({ env: { SVC_MAIL_URL } })
    const { email } = await auth.createUser()
    const { millis: _, ...usual } = await answerOf(working, (await working.createUser()).email)
    expect(usual).toMatchObject({ status: 200, members: ['success', 'expiresAt'] })

    for (const target of [email, 'nobody@example.com']) {
      const { millis, ...answer } = await answerOf(auth, target)
      expect(answer).toEqual(usual)
      expect(millis).toBeLessThan(1000)
    }
    await auth.stop()
  },
)
