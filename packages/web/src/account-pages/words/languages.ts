import { use } from 'react'
import type { AccountWords } from './account-words.ts'

/** Loads the words of a language: `() => import('@svc/web/account/korean').then(({ koreanWords }) => koreanWords)`. */
export type LoadWords<Words = AccountWords> = () => Promise<Words>

/** By the tag of the language, such as `ko` or `pt-BR`. */
export type Languages<Words = AccountWords> = Readonly<Record<string, LoadWords<Words>>>

/** Words of one language, or ways to load those of several. */
export interface GivenWords<Words = AccountWords> {
  words?: Words
  languages?: Languages<Words>
}

const noWords = {}

/** The words for a language. Until they are loaded, the page waits; where they can't be, it is in English. */
export function useWords<Words extends object>(
  locale: string,
  { words, languages = {} }: GivenWords<Words>,
): Words | typeof noWords {
  const load = Object.hasOwn(languages, locale) ? languages[locale] : undefined
  if (words || !load) return words ?? noWords
  return use(loadedBy(load))
}

// React needs the same promise each time it draws.
const loaded = new WeakMap<LoadWords<object>, Promise<object>>()

function loadedBy(load: LoadWords<object>) {
  const known = loaded.get(load)
  if (known) return known
  // A page that can't load the words of its language is still better than none.
  const loading = load().catch(() => noWords)
  loaded.set(load, loading)
  return loading
}
