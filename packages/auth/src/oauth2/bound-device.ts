import type { AgentNeeds } from '../oauth2-clients/agent-needs.ts'
import type { GrantRow } from './store.ts'

/** Tokens that are bound to a device of the account are as good as that device: signed out, it renews nothing. */
export async function isBoundDeviceLive(
  { callers, clock }: AgentNeeds<'callers' | 'clock'>,
  { keyId }: Pick<GrantRow, 'keyId'>,
) {
  if (keyId === null) return true
  const row = await callers(keyId)
  return row?.state === 'active' && row.keyExpiresAt > clock.now()
}
