import { EnvironmentError } from '@svc/core'

export interface DeviceAuthOptions {
  /** How long a waiting device's code lives. Ten minutes unless set. */
  ttlMs?: number
  /** How long a waiting device pauses between polls. Five seconds unless set. */
  intervalMs?: number
}

export type DeviceAuth = Readonly<Required<DeviceAuthOptions>>

/** Resolved once, as the server starts. */
export function readDeviceAuth(options: DeviceAuthOptions = {}): DeviceAuth {
  const settings = { ttlMs: 600_000, intervalMs: 5_000, ...options }
  const problems = Object.entries(settings)
    .filter(([, millis]) => !(Number.isSafeInteger(millis) && millis > 0))
    .map(
      ([name]) =>
        `createAuthLifecycle({ deviceAuth: { ${name} } }) must be a positive whole number`,
    )
  if (problems.length > 0) throw new EnvironmentError(problems)
  return settings
}
