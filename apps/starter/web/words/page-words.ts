import type { OrganizationWords } from '@svc/organizations/web'
import { koreanWords as koreanOrganizations } from '@svc/organizations/web/korean'
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

/** The same for the switcher of organizations, which the server renders. */
export async function organizationWords(): Promise<OrganizationWords> {
  return (await visitorLocale()) === 'ko' ? koreanOrganizations : {}
}
