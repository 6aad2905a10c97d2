import { authApi } from '@svc/auth'
import { useAction } from './use-action.ts'
import type { Credentials } from './use-sign-in.ts'

/**
 * What shows that it is the owner who asks: the token was proved for the purpose `account_deletion`. Nothing where the
 * account has neither a password nor an address: then it is that they have just signed in.
 */
export type OwnerProof =
  | { password: string }
  | { verificationToken: string }
  | { password?: never; verificationToken?: never }

interface RequestOptions {
  /** The account is closed, and every device signed out, this one too. */
  onClosed: (purgeScheduledAt: Date) => void
  api?: Pick<typeof authApi, 'requestAccountDeletion'>
}

/** Closes the account. It can be restored until the date that is answered. */
export function useRequestAccountDeletion({ onClosed, api = authApi }: RequestOptions) {
  return useAction(async (proof: OwnerProof & { reason?: string }) => {
    const { purgeScheduledAt } = await api.requestAccountDeletion.call({ body: proof })
    onClosed(new Date(purgeScheduledAt))
  })
}

interface CancelOptions {
  /** The account is open again. Nobody is signed in. */
  onRestored: () => void
  api?: Pick<typeof authApi, 'cancelAccountDeletion'>
}

/** Restores an account that waits for its deletion. */
export function useCancelAccountDeletion({ onRestored, api = authApi }: CancelOptions) {
  return useAction(async (credentials: Credentials) => {
    await api.cancelAccountDeletion.call({ body: credentials })
    onRestored()
  })
}

interface Options {
  /** What the file is called. */
  fileName?: string
  api?: Pick<typeof authApi, 'exportUserData'>
}

/** Has the browser save everything that is kept of the account as a file of JSON. */
export function useExportUserData({ fileName = 'account-data.json', api = authApi }: Options = {}) {
  return useAction(async () => {
    const data = await api.exportUserData.call()
    saveFile(fileName, JSON.stringify(data, null, 2))
    return true
  })
}

function saveFile(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // The browser reads it in a task of its own.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
