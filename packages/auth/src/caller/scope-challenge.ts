import type { RawContext } from '@svc/core'

/** Tells an agent which scopes its token lacks for what these permissions are for. */
export type ScopeChallenge = (permissions: readonly string[]) => void

const key = 'svc.scope-challenge'

/** Remembers how the agent of a request is told. */
export function setScopeChallenge(raw: RawContext, challenge: ScopeChallenge) {
  raw.set(key, challenge)
}

/** Before a refusal for want of a permission. Nothing happens where no agent has asked. */
export function challengeScopes(raw: RawContext, permissions: readonly string[]) {
  raw.get<ScopeChallenge>(key)?.(permissions)
}
