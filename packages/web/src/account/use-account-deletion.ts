import { authApi } from '@svc/auth'
import { useAction } from './use-action.ts'
import type { Credentials } from './use-sign-in.ts'

/**
 * Proves that the owner asks: the token was made for the purpose `account_deletion`. Empty if the
 * account has neither a password nor an address: then a recent sign-in is the proof.
 */
export type OwnerProof =
  | { password: string }
  | { verificationToken: string }
  | { password?: never; verificationToken?: never }

interface RequestOptions {
  /** The account is closed, and every device is signed out, including this one. */
  onClosed: (purgeScheduledAt: Date) => void
  api?: Pick<typeof authApi, 'requestAccountDeletion'>
}

/** Closes the account. It can be restored until the date that the API returns. */
export function useRequestAccountDeletion({ onClosed, api = authApi }: RequestOptions) {
  return useAction(async (proof: OwnerProof & { reason?: string }) => {
    const { purgeScheduledAt } = await api.requestAccountDeletion.call({ body: proof })
    onClosed(new Date(purgeScheduledAt))
  })
}

interface CancelOptions {
  /** The account is open again. The user is not signed in yet. */
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
  /** The name of the file. */
  fileName?: string
  api?: Pick<typeof authApi, 'exportUserData'>
}

/** Lets the browser save everything that is stored about the account, as a JSON file. */
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
