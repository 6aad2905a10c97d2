import { authApi } from '@svc/auth'
import { useAction } from './use-action.ts'

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
