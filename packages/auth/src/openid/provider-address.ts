import { defineEnv, type EnvironmentSource, oneOf } from '@svc/core'

const readVariables = defineEnv({ NODE_ENV: oneOf('development', 'test', 'production') })

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a provider may be asked there: over TLS, or on this machine outside production. */
export function isProviderAddress(address: string, source?: EnvironmentSource) {
  const url = URL.parse(address)
  if (!url || url.username || url.password || url.hash) return false
  if (url.protocol === 'https:') return true
  const isLocal = url.protocol === 'http:' && loopback.test(url.hostname)
  return isLocal && readVariables(source).NODE_ENV !== 'production'
}
