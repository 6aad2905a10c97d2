import { authApi, KeyExpiredError, type KeyListItem, KeyNotFoundError, type LetIn } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { useState } from 'react'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'

/** A device that is signed in to the account. */
export interface Device extends KeyListItem {
  /** It is the device of this session. */
  isThis: boolean
  /**
   * The keys that are signed out with it, unless you set `keepMade`: those that it has let in,
   * those that they have let in, and so on.
   */
  goesWith: LetIn[]
}

interface Options {
  /** The key of this session: `keyId` of `getAuthSession`. */
  keyId: string
  /** What the server found when it rendered the page. */
  initial?: KeyListItem[]
  /** The approvals that were loaded with them. */
  initialApprovals?: LetIn[]
  /** This device was signed out, here or from elsewhere. */
  onSignedOut?: () => void
  api?: Pick<typeof authApi, 'listKeys' | 'revokeKey' | 'revokeAllKeys'>
}

/** The devices that are signed in to an account: this one first, then by last use. */
export function useDevices({ keyId, initial, onSignedOut, api = authApi, ...found }: Options) {
  const [keys, setKeys] = useState<KeyListItem[] | null>(initial ?? null)
  const [approvals, setApprovals] = useState<LetIn[]>(found.initialApprovals ?? [])
  const keep = (isKept: (key: KeyListItem) => boolean) =>
    setKeys((before) => before?.filter(isKept) ?? null)

  /** This device may have been signed out elsewhere while it shows the list. */
  async function whileSignedIn<Result>(work: Promise<Result>) {
    try {
      return await work
    } catch (error) {
      if (error instanceof UnauthorizedError || error instanceof KeyExpiredError) onSignedOut?.()
      throw error
    }
  }

  const loading = useAction(async () => {
    const listed = await whileSignedIn(api.listKeys.call({ body: {} }))
    setKeys(listed.keys)
    setApprovals(listed.approvals ?? [])
  })
  const revoking = useAction(async (revoked: string, { keepMade = false } = {}) => {
    const { selfRevoked, ended = [] } = await whileSignedIn(
      api.revokeKey.call({ body: { keyId: revoked, keepMade } }).catch(goneAlready),
    )
    if (selfRevoked) onSignedOut?.()
    else setKeys((before) => before && without(before, [revoked, ...ended.map(({ id }) => id)]))
    return { keyId: revoked, ended }
  })
  const revokingOthers = useAction(async () => {
    const { revokedCount } = await whileSignedIn(api.revokeAllKeys.call({ body: {} }))
    keep((key) => key.keyId === keyId)
    setApprovals([])
    return revokedCount
  })

  const { run: load } = loading
  useInitialLoad(load, initial)

  const devices = keys && sorted(keys, keyId)
  return { devices, approvals, loading, revoking, revokingOthers, reload: load }
}

/** The key is gone already and can't sign. That is what the user wanted. */
function goneAlready(error: unknown): { selfRevoked: boolean; ended?: LetIn[] } {
  if (error instanceof KeyNotFoundError) return { selfRevoked: false }
  throw error
}

/** Also removes it from the lists of the devices that let it in. */
function without(keys: KeyListItem[], gone: string[]) {
  const isLeft = (id: string) => !gone.includes(id)
  return keys
    .filter((key) => isLeft(key.keyId))
    .map((key) => (key.letIn ? { ...key, letIn: key.letIn.filter(({ id }) => isLeft(id)) } : key))
}

function sorted(keys: KeyListItem[], keyId: string): Device[] {
  const usedAt = (key: KeyListItem) => key.lastUsedAtMillis ?? key.createdAtMillis
  return keys
    .map((key) => ({ ...key, isThis: key.keyId === keyId, goesWith: goesWith(keys, key, keyId) }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || usedAt(b) - usedAt(a))
}

/** The device that asks stays, with what it has let in. If it signs itself out, nothing else ends. */
function goesWith(keys: KeyListItem[], { keyId, letIn = [] }: KeyListItem, own: string) {
  if (keyId === own) return []
  const all: LetIn[] = []
  const waiting = [...letIn]
  for (const each of waiting) {
    const isOwn = each.kind === 'device' && each.id === own
    if (isOwn || each.kind === 'approval' || each.id === keyId || all.includes(each)) continue
    all.push(each)
    waiting.push(...(keys.find((key) => key.keyId === each.id)?.letIn ?? []))
  }
  return all
}
