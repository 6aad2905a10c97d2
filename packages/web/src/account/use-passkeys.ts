import { authApi, type PasskeyItem } from '@svc/auth'
import { useState } from 'react'
import { usePasskeySupport } from './ask-passkey.ts'
import { makePasskey } from './make-passkey.ts'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'

interface UsePasskeysOptions {
  /** What the server found when it rendered the page. */
  initial?: PasskeyItem[]
  /** A passkey has changed, for example whether it counts as a second factor. */
  onChanged?: () => void
  api?: Pick<
    typeof authApi,
    | 'listPasskeys'
    | 'passkeyRegisterOptions'
    | 'passkeyRegisterVerify'
    | 'renamePasskey'
    | 'revokePasskey'
    | 'mfaMarkPasskey'
  >
}

/**
 * The passkeys of the signed-in user. `adding` takes a label, which may be empty, and opens the
 * browser's dialog; `renaming` takes `{ passkeyId, label }`, `removing` an id, and `marking` `{
 * passkeyId, secondFactor }`.
 */
export function usePasskeys({ initial, onChanged, api = authApi }: UsePasskeysOptions = {}) {
  const isSupported = usePasskeySupport()
  const [passkeys, setPasskeys] = useState<PasskeyItem[] | null>(initial ?? null)
  const change = (changed: (before: PasskeyItem[]) => PasskeyItem[]) => {
    setPasskeys((before) => changed(before ?? []))
    onChanged?.()
  }
  const put = (given: Pick<PasskeyItem, 'passkeyId'> & Partial<PasskeyItem>) =>
    change((before) =>
      before.map((each) => (each.passkeyId === given.passkeyId ? { ...each, ...given } : each)),
    )

  const loading = useAction(async () => {
    setPasskeys((await api.listPasskeys.call({ body: {} })).passkeys)
  })
  const adding = useAction(async (label: string = '') => {
    const response = await makePasskey(await api.passkeyRegisterOptions.call({ body: {} }))
    if (!response) return null
    const body = { response, ...(label && { label }) }
    const added = await api.passkeyRegisterVerify.call({ body })
    change((before) => [...before, added])
    return added
  })
  const renaming = useAction(async (body: { passkeyId: string; label: string }) => {
    put(await api.renamePasskey.call({ body }))
    return body.passkeyId
  })
  const removing = useAction(async (passkeyId: string) => {
    await api.revokePasskey.call({ body: { passkeyId } })
    change((before) => before.filter((each) => each.passkeyId !== passkeyId))
    return passkeyId
  })
  const marking = useAction(async (mark: { passkeyId: string; secondFactor: boolean }) => {
    const status = await api.mfaMarkPasskey.call({ body: mark })
    put(mark)
    return status
  })

  const { run: load } = loading
  useInitialLoad(load, initial)

  return { isSupported, passkeys, loading, adding, renaming, removing, marking, reload: load }
}
