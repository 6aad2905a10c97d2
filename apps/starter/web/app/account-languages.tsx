'use client'

import { AccountProvider, type AccountProviderProps } from '@svc/web/account'

// A page loads the words of its own language only. Each is one file.
const languages = {
  ko: () => import('@svc/web/account/korean').then(({ koreanWords }) => koreanWords),
}

/** The pages of an account, in the languages of the application. */
export function AccountLanguages(given: Omit<AccountProviderProps, 'languages' | 'words'>) {
  return <AccountProvider {...given} languages={languages} />
}
