import { setTimeout as wait } from 'node:timers/promises'
import { ServiceUnavailableError } from '@svc/core'
import type { Needs } from '../auth.ts'
import { ProviderUnavailableError } from '../providers/ask-provider.ts'
import { type ProviderIdentity, ProviderRefusalError } from '../providers/provider.ts'
import { InvalidSocialTokenError } from './errors.ts'
import type { NativeProvider } from './native-provider.ts'

interface Shown {
  idToken: string
  nonce: string
  accessToken?: string | undefined
}

/** Whom an id token is about. Why it does not hold, or cannot be checked, is in the log and in no answer. */
export async function identify(
  { log }: Needs<'log'>,
  provider: NativeProvider,
  { idToken, nonce, accessToken }: Shown,
): Promise<ProviderIdentity> {
  const given = { nonce, ...(accessToken !== undefined && { accessToken }) }
  try {
    return await inTime(async () => provider.verifyNativeIdToken(idToken, given))
  } catch (err) {
    if (err instanceof ProviderRefusalError) {
      log.info({ err, provider: provider.id }, 'an id token does not hold')
      throw new InvalidSocialTokenError()
    }
    log.warn({ err, provider: provider.id }, 'an id token cannot be checked')
    // Not 401: the app would throw away a token that may well hold (attack 16).
    throw new ServiceUnavailableError({ cause: err })
  }
}

// A provider is asked for its keys and then for the user: the answer is due within five seconds all the same (F20).
const longestMillis = 4500

async function inTime<Result>(ask: () => Promise<Result>): Promise<Result> {
  const settled = new AbortController()
  const late = wait(longestMillis, null, { signal: settled.signal }).then(() => {
    throw new ProviderUnavailableError(`no answer within ${longestMillis} ms`)
  })
  try {
    return await Promise.race([ask(), late])
  } finally {
    settled.abort()
  }
}
