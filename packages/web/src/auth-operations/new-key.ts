import { createPortableKey } from '@svc/auth'
import type { ProxyCall } from '../proxy/interceptor.ts'
import { deviceNameOf } from './device-name.ts'
import { bodyWith } from './json-answer.ts'

/**
 * Gives a call the public half of a key that the proxy has made. What the browser says of a key is written
 * over; what it calls the device stands.
 */
export async function withNewKey(call: ProxyCall) {
  const { registration, ...key } = await createPortableKey()
  const deviceName = deviceNameOf(call.request.headers.get('user-agent'))
  const body = { deviceName, ...bodyWith(call.input.body, { ...registration, platform: 'web' }) }
  const { fingerprint } = registration
  return { call: { ...call, input: { ...call.input, body } }, key, fingerprint }
}
