import { authApi, type KeyListItem } from '@svc/auth'
import { useCallback, useEffect, useState } from 'react'
import { useAction } from './use-action.ts'

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

  const loading = useAction(async () => {
    const { keys: found } = await api.listKeys.call({ body: {} })
    setKeys(found)
  })
  const revoking = useAction(async (revoked: string) => {
    const { selfRevoked } = await api.revokeKey.call({ body: { keyId: revoked } })
    if (selfRevoked) return onSignedOut?.()
    setKeys((before) => before?.filter((key) => key.keyId !== revoked) ?? null)
  })
  const revokingOthers = useAction(async () => {
    const { revokedCount } = await api.revokeAllKeys.call({ body: {} })
    setKeys((before) => before?.filter((key) => key.keyId === keyId) ?? null)
    return revokedCount
  })

  const { run: load } = loading
  const hasInitial = initial !== undefined
  useEffect(() => {
    if (!hasInitial) void load()
  }, [load, hasInitial])
  const reload = useCallback(() => load(), [load])

  const devices = keys && sorted(keys, keyId)
  return { devices, loading, revoking, revokingOthers, reload }
}

function sorted(keys: KeyListItem[], keyId: string): Device[] {
  const usedAt = (key: KeyListItem) => key.lastUsedAtMillis ?? key.createdAtMillis
  return keys
    .map((key) => ({ ...key, isThis: key.keyId === keyId }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || usedAt(b) - usedAt(a))
}
