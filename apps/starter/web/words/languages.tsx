'use client'

import { AccountProvider, type AccountProviderProps, TextLink } from '@svc/web/account'
import { createContext, useContext } from 'react'
import type { Words } from './words.ts'

// A page loads the words of its own language only. Each is one file.
const languages = {
  ko: () => import('@svc/web/account/korean').then(({ koreanWords }) => koreanWords),
}

const WordsContext = createContext<Words | null>(null)

interface Props extends Omit<AccountProviderProps, 'languages' | 'words' | 'permissionWords'> {
  /** The words of this application, in the language of the visitor. */
  words: Words
}

/** What the pages say, in the languages of the application: those of an account, and its own. */
export function Languages({ words, ...given }: Props) {
  return (
    <WordsContext value={words}>
      <AccountProvider {...given} languages={languages} permissionWords={words.permissions} />
    </WordsContext>
  )
}

export function useWords(): Words {
  const words = useContext(WordsContext)
  if (!words) throw new Error('There are no Languages around this component.')
  return words
}

/** What a permission allows. One that a running server has declared may have no words: then its name is shown. */
export function usePermissionWords() {
  const words: Readonly<Record<string, string>> = useWords().permissions
  return (name: string) => (Object.hasOwn(words, name) ? words[name] : undefined)
}

interface LinkedProps {
  words: { before: string; link: string; after: string }
  href: string
  /** The link is large enough for a finger. */
  isAlone?: boolean
}

/** A sentence with a link in it. */
export function Linked({ words: { before, link, after }, ...to }: LinkedProps) {
  return (
    <>
      {before}
      <TextLink {...to}>{link}</TextLink>
      {after}
    </>
  )
}
