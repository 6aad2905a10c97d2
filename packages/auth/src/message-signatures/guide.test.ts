import { afterAll, expect, it } from 'vitest'
import { programsOf } from '../machine-keys/testing/guide.ts'
import { done } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'

const auth = await startTestAuth({ options: { machines: { messageSignatures: true } } })
afterAll(() => auth.stop())

it('what docs/guide/machine-keys.md says of message signatures works as it is written', async () => {
  const { run, remove } = programsOf('machine-keys.md')
  const user = await auth.signedInUser({ role: 'admin' })
  const env = { API_URL: auth.url }
  // Programs sign by the time of this machine.
  auth.clock.set(new Date())
  const registration = JSON.parse(await run('make-key.sh', {}))
  const permissions = ['user:invite']
  await auth.proveRecent(user)
  await done(auth.call('createMachineKey', { ...registration, permissions }, user.key))

  expect(JSON.parse(await run('call.sh', { env }))).toMatchObject({
    userId: user.userId,
    keyId: registration.keyId,
  })
  expect(await run('signed-call.ts', { env })).toMatch(/^201 /)
  remove()
})
