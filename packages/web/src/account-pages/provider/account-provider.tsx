'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { AccountWords, WordsFor } from '../words/account-words.ts'
import { type GivenWords, type Languages, useWords } from '../words/languages.ts'
import { english, type Say, sayIn } from '../words/say.ts'
import { type AccountPaths, accountPaths } from './account-paths.ts'

interface Account {
  say: Say
  paths: AccountPaths
  brand: ReactNode
  mailboxUrl: string | undefined
  permissionWords: PermissionWords
}

type PermissionWords = { readonly [permission in string]?: string }

const noPermissionWords: PermissionWords = {}

const AccountContext = createContext<Account>({
  say: english,
  paths: accountPaths,
  brand: null,
  mailboxUrl: undefined,
  permissionWords: noPermissionWords,
})

/** The language, the addresses and the brand of the account pages. All have a default. */
export interface AccountProviderProps {
  children: ReactNode
  /**
   * Your words for the sentences of the pages. A sentence that you leave out is shown in English.
   */
  words?: AccountWords
  /**
   * In place of `words`: the languages of your app, by tag. A page loads the words of `locale` only.
   * Declare them outside of your components.
   */
  languages?: Languages
  /** The language of the page, for its words, dates, numbers and lists. */
  locale?: string
  /** The addresses of pages that are not where the starter has them. */
  paths?: Partial<AccountPaths>
  /** Shown above the title of the pages for users who are not signed in, such as your logo. */
  brand?: ReactNode
  /** In development, the address of the mailbox: pages that have sent a mail link to it. */
  mailboxUrl?: string
  /** What each permission allows, in words for people. One that you leave out is shown by its name. */
  permissionWords?: PermissionWords
}

/** Around the pages of an account: their words, their paths and your brand. */
export function AccountProvider({
  children,
  brand = null,
  mailboxUrl,
  permissionWords = noPermissionWords,
  ...given
}: AccountProviderProps) {
  const { locale = english.locale, paths } = given
  const words = useWords(locale, given)
  const say = useMemo(() => sayIn(words, locale), [words, locale])
  const account = useMemo(
    () => ({ say, paths: { ...accountPaths, ...paths }, brand, mailboxUrl, permissionWords }),
    [say, paths, brand, mailboxUrl, permissionWords],
  )
  return <AccountContext value={account}>{children}</AccountContext>
}

export function useAccount() {
  return useContext(AccountContext)
}

/** Says the sentences of the pages in the language of the `AccountProvider`. */
export function useSay() {
  return useAccount().say
}

/** Says sentences of your own pages in the language of the `AccountProvider`: give it their words, as you give them to that. */
export function useOwnSay<Sentence extends string>(
  given: GivenWords<WordsFor<Sentence>>,
): Say<Sentence> {
  const { locale } = useSay()
  const words: WordsFor<Sentence> = useWords(locale, given)
  return useMemo(() => sayIn(words, locale), [words, locale])
}

/** What a permission allows, in the words that the `AccountProvider` has for it. */
export function usePermissionWords(): (name: string) => string | undefined {
  const { permissionWords } = useAccount()
  return (name) => (Object.hasOwn(permissionWords, name) ? permissionWords[name] : undefined)
}

/** The addresses of the account pages, with those that the `AccountProvider` replaces. */
export function usePaths() {
  return useAccount().paths
}
