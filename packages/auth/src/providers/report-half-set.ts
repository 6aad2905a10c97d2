import { defineEnv, type EnvironmentSource, optional } from '@svc/core'
import type { Needs } from '../auth.ts'

const readVariables = defineEnv({
  SVC_AUTH_GOOGLE_CLIENT_ID: optional,
  SVC_AUTH_GOOGLE_CLIENT_SECRET: optional,
  SVC_AUTH_GITHUB_CLIENT_ID: optional,
  SVC_AUTH_GITHUB_CLIENT_SECRET: optional,
  SVC_AUTH_NAVER_CLIENT_ID: optional,
  SVC_AUTH_NAVER_CLIENT_SECRET: optional,
})

/** An id without its secret, or the other way, is no error, and no button either: somebody would look for it. */
export function reportHalfSet(source: EnvironmentSource, { log }: Needs<'log'>) {
  const env = readVariables(source)
  for (const provider of ['GOOGLE', 'GITHUB', 'NAVER'] as const) {
    const names = [`SVC_AUTH_${provider}_CLIENT_ID`, `SVC_AUTH_${provider}_CLIENT_SECRET`] as const
    const missing = names.filter((name) => !env[name])
    if (missing.length !== 1) continue
    log.warn({ missing: missing[0] }, 'a provider is off in browsers: it has half of what it needs')
  }
}
