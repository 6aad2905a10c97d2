import { pageLocale } from '@svc/web/account/next'
import { korean } from './korean.ts'
import { english, type Words } from './words.ts'

/** The languages besides English, by their tag. The account pages have words for the same ones. */
const languages: Readonly<Record<string, Words>> = { ko: korean }

/** The language of the visitor, of those that this application has. */
export function visitorLocale() {
  return pageLocale(Object.keys(languages))
}

/** The words of a page that the server renders. */
export async function pageWords(): Promise<Words> {
  return languages[await visitorLocale()] ?? english
}
