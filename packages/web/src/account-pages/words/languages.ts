import { use } from 'react'
import type { AccountWords } from './account-words.ts'

/** Loads the words of a language: `() => import('@svc/web/account/korean').then(({ koreanWords }) => koreanWords)`. */
export type LoadWords = () => Promise<AccountWords>

/** By the tag of the language, such as `ko` or `pt-BR`. */
export type Languages = Readonly<Record<string, LoadWords>>

interface Given {
  words?: AccountWords
  languages?: Languages
}

const noWords: AccountWords = {}

/** The words for a language. Until they are loaded, the page waits; where they can't be, it is in English. */
export function useWords(locale: string, { words, languages = {} }: Given) {
  const load = Object.hasOwn(languages, locale) ? languages[locale] : undefined
  if (words || !load) return words ?? noWords
  return use(loadedBy(load))
}

// React needs the same promise each time it draws.
const loaded = new WeakMap<LoadWords, Promise<AccountWords>>()

function loadedBy(load: LoadWords) {
  const known = loaded.get(load)
  if (known) return known
  // A page that can't load the words of its language is still better than none.
  const loading = load().catch(() => noWords)
  loaded.set(load, loading)
  return loading
}
