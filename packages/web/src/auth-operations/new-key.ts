import { createPortableKey, type PortableKey } from '@svc/auth'
import type { ProxyCall } from '../proxy/interceptor.ts'
import { deviceNameOf } from './device-name.ts'
import { bodyWith } from './json-answer.ts'

export interface KeyedCall {
  /** The call with the public half of a new key. */
  readonly call: ProxyCall
  readonly key: PortableKey
}

/** Gives a call a key that the proxy has made. What the browser says of a key is written over. */
export async function withNewKey(call: ProxyCall): Promise<KeyedCall> {
  const { registration, ...key } = await createPortableKey()
  const device = { deviceName: deviceNameOf(call.request.headers.get('user-agent')) }
  const body = bodyWith(bodyWith(device, bodyWith(call.input.body, {})), {
    ...registration,
    platform: 'web',
  })
  return { call: { ...call, input: { ...call.input, body } }, key }
}
