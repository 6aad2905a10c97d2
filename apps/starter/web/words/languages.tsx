'use client'

import { AccountProvider, type AccountProviderProps, TextLink } from '@svc/web/account'
import { createContext, type ReactNode, useContext } from 'react'
import type { Words } from './words.ts'

// A page loads the words of its own language only. Each is one file.
const languages = {
  ko: () => import('@svc/web/account/korean').then(({ koreanWords }) => koreanWords),
}

/** The pages of an account, in the languages of the application. */
export function AccountLanguages(given: Omit<AccountProviderProps, 'languages' | 'words'>) {
  return <AccountProvider {...given} languages={languages} />
}

const WordsContext = createContext<Partial<Words>>({})

interface PageWordsProps {
  words: Partial<Words>
  children: ReactNode
}

/** What the components of a page say. A page is sent its own words only. */
export function PageWords({ words, children }: PageWordsProps) {
  const around = useContext(WordsContext)
  return <WordsContext value={{ ...around, ...words }}>{children}</WordsContext>
}

export function useWords<Part extends keyof Words>(part: Part): Words[Part] {
  const words = useContext(WordsContext)[part]
  if (!words) throw new Error(`Put PageWords around this component, with the words of "${part}".`)
  return words
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
