import { type GivenWords, type Say, useOwnSay } from '@svc/web/account'
import type { ConsoleSentence, ConsoleWords } from './console-words.ts'

// Only pages in Korean load them.
const given: GivenWords<ConsoleWords> = {
  languages: { ko: () => import('./korean-words.ts').then(({ koreanWords }) => koreanWords) },
}

/** Says the sentences of these pages in the language of the `AccountProvider`. */
export function useConsoleSay(): Say<ConsoleSentence> {
  return useOwnSay(given)
}
