import { authApi, KeyExpiredError, type KeyListItem, KeyNotFoundError } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { useState } from 'react'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'

export interface Device extends KeyListItem {
  /** It is the one that asks. */
  isThis: boolean
}

interface Options {
  /** The key of the session that asks: `keyId` of `getAuthSession`. */
  keyId: string
  /** What the server found when it rendered the page. */
  initial?: KeyListItem[]
  /** This device is signed out, by its own wish or from elsewhere. */
  onSignedOut?: () => void
  api?: Pick<typeof authApi, 'listKeys' | 'revokeKey' | 'revokeAllKeys'>
}

/** The devices that are signed in to an account, the one that asks first, then by last use. */
export function useDevices({ keyId, initial, onSignedOut, api = authApi }: Options) {
  const [keys, setKeys] = useState<KeyListItem[] | null>(initial ?? null)
  const keep = (isKept: (key: KeyListItem) => boolean) =>
    setKeys((before) => before?.filter(isKept) ?? null)

  /** Somebody may have signed this device out elsewhere while it shows the list. */
  async function whileSignedIn<Result>(work: Promise<Result>) {
    try {
      return await work
    } catch (error) {
      if (error instanceof UnauthorizedError || error instanceof KeyExpiredError) onSignedOut?.()
      throw error
    }
  }

  const loading = useAction(async () => {
    const { keys: found } = await whileSignedIn(api.listKeys.call({ body: {} }))
    setKeys(found)
  })
  const revoking = useAction(async (revoked: string) => {
    const { selfRevoked } = await whileSignedIn(
      api.revokeKey.call({ body: { keyId: revoked } }).catch(goneAlready),
    )
    if (selfRevoked) onSignedOut?.()
    else keep((key) => key.keyId !== revoked)
    return revoked
  })
  const revokingOthers = useAction(async () => {
    const { revokedCount } = await whileSignedIn(api.revokeAllKeys.call({ body: {} }))
    keep((key) => key.keyId === keyId)
    return revokedCount
  })

  const { run: load } = loading
  useInitialLoad(load, initial)

  const devices = keys && sorted(keys, keyId)
  return { devices, loading, revoking, revokingOthers, reload: load }
}

/** The key was replaced meanwhile or is not there any more: it signs nothing, which is what was wished for. */
function goneAlready(error: unknown) {
  if (error instanceof KeyNotFoundError) return { selfRevoked: false }
  throw error
}

function sorted(keys: KeyListItem[], keyId: string): Device[] {
  const usedAt = (key: KeyListItem) => key.lastUsedAtMillis ?? key.createdAtMillis
  return keys
    .map((key) => ({ ...key, isThis: key.keyId === keyId }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || usedAt(b) - usedAt(a))
}
