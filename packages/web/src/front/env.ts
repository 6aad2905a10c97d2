import { defineEnv, integer, shutdownDelayMillis, shutdownVariables } from '@svc/core/env'

const readVariables = defineEnv({
  PORT: integer({ initial: 3790, min: 1, max: 65_535 }),
})
const readShutdown = defineEnv(shutdownVariables)

/** From the flag, else from the environment. */
export function portOf(flag: string | undefined) {
  return readVariables(flag === undefined ? undefined : { PORT: flag }).PORT
}

/** React and Next read it when they are loaded. */
export function serveForProduction() {
  const env: Record<string, string | undefined> = process.env
  env['NODE_ENV'] ||= 'production'
}

/** How long the web app continues as usual after the signal to stop. */
export function delayMillis() {
  return shutdownDelayMillis({ ...process.env, ...readShutdown() })
}
