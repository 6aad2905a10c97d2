import { afterAll, expect, it } from 'vitest'
import { createAuthApi } from '../auth-api.ts'
import { startTestAuth } from '../testing.ts'
import { leadingZeros, withWork } from './client.ts'
import { ProofOfWorkRequiredError } from './errors.ts'

const auth = await startTestAuth({ env: { SVC_AUTH_SEND_WORK_BITS: '10' } })
afterAll(() => auth.stop())
const api = createAuthApi({ baseUrl: auth.url })

it('does the work that a server asks for, and sends again', async () => {
  const body = { target: 'ada@example.com', targetType: 'email', purpose: 'login' } as const
  const send = api.sendVerificationCode
  await expect(send.call({ body })).rejects.toBeInstanceOf(ProofOfWorkRequiredError)
  const sent = await withWork((work) => send.call({ body: { ...body, ...work } }))
  expect(sent.success).toBe(true)
})

it('passes on any other refusal, and does no work for it', async () => {
  let asked = 0
  const refused = withWork(() => {
    asked += 1
    return Promise.reject(new TypeError('another'))
  })
  await expect(refused).rejects.toThrow('another')
  expect(asked).toBe(1)
})

it('counts the zeros that a hash begins with, bit by bit', () => {
  const zeros = (...bytes: number[]) => leadingZeros(Uint8Array.from(bytes))
  expect([zeros(0x80), zeros(0x40), zeros(1), zeros(0, 0x7f), zeros(0, 0, 3), zeros(0, 0)]).toEqual(
    [0, 1, 7, 9, 22, 16],
  )
})
