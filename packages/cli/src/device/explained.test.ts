import { expect, it } from 'vitest'
import type { Device } from './device.ts'
import { explained } from './explained.ts'

it('lets nothing that an API answers steer the terminal', async () => {
  const device = { key: { baseUrl: 'http://localhost:8790', file: '' } } as Device
  const message = 'Denied \u001b]0;owned\u0007\u202e.'
  const refusal = Object.assign(new Error(message), { name: 'DeniedError', status: 403 })
  const told = explained(device, async () => {
    throw refusal
  })
  await expect(told).rejects.toThrow('Denied \ufffd]0;owned\ufffd\ufffd. (403 DeniedError)')
})
