import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { startTestAuth } from '../../testing.ts'

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

const operations = {
  sendVerificationCode: (target: string) => ({ target, targetType: 'email', purpose: 'login' }),
  requestSignupLink: (email: string) => ({ email }),
  requestPasswordReset: (email: string) => ({ email }),
}
type Operation = keyof typeof operations

async function answerOf(auth: typeof working, operation: Operation, target: string) {
  const began = performance.now()
  const { status, headers, body } = await auth.call(operation, operations[operation](target))
  const names = [...headers.keys()].toSorted()
  return { status, names, members: Object.keys(body), millis: performance.now() - began }
}

it.each(orFew(Object.entries(providers)))(
  'F9: a mail provider that is %s changes nothing of what is answered where mail is sent',
  async (_how, SVC_MAIL_URL) => {
    const auth = await startTestAuth({ env: { SVC_MAIL_URL } })
    for (const operation of Object.keys(operations) as Operation[]) {
      const { email } = await auth.createUser()
      const known = (await working.createUser()).email
      const { millis: _, ...usual } = await answerOf(working, operation, known)
      expect(usual).toMatchObject({ status: 200, members: ['success', 'expiresAt'] })

      for (const target of [email, 'nobody@example.com']) {
        const { millis, ...answer } = await answerOf(auth, operation, target)
        expect(answer).toEqual(usual)
        expect(millis).toBeLessThan(1000)
      }
    }
    await auth.stop()
  },
)
