import type { Application } from '../application/application.ts'

export { makeKeys } from './make-keys.ts'
export { rotate } from './rotate.ts'

/**
 * Finds what prevents the API and the web app from starting in production. The check loads all of
 * @svc/core.
 */
export async function checkKeys(application: Application) {
  return (await import('./check-keys.ts')).checkKeys(application)
}
