import type { Infrastructure } from '../../infrastructure/infrastructure.ts'
import { createStreamTokens } from './create-stream-tokens.ts'
import type { StreamAuthOptions } from './stream-options.ts'
import type { StreamTokens } from './stream-tokens.ts'
import { createCacheTokenStore, createMemoryTokenStore } from './token-store.ts'

/** The pool that a server's streams share: the application's own manager, or one over its store, the cache or memory. */
export function openStreamTokens(
  { tokenManager, store, tokenTtl }: StreamAuthOptions,
  { cache, clock }: Pick<Infrastructure, 'cache' | 'clock'>,
): { tokens: StreamTokens; destroy: () => void } {
  if (tokenManager) return { tokens: lazily(tokenManager), destroy: () => {} }
  const initial = cache.shared ? createCacheTokenStore(cache, clock) : createMemoryTokenStore(clock)
  const tokens = createStreamTokens({
    clock,
    store: store ?? initial,
    ...(tokenTtl !== undefined && { ttl: tokenTtl }),
  })
  return { tokens, destroy: () => tokens.destroy() }
}

/**
 * A manager may be made later than the definition, for example if it needs the running server's
 * database.
 */
function lazily(manager: StreamTokens | (() => StreamTokens)): StreamTokens {
  const resolve = () => (typeof manager === 'function' ? manager() : manager)
  return {
    issue: async (grant) => resolve().issue(grant),
    consume: async (token) => resolve().consume(token),
  }
}
