import { LinkMenu, TextLink } from '@svc/web/account'
import type { ReactNode } from 'react'
import type { OrganizationSentence, OrganizationWords } from '../words/organization-words.ts'
import { openOrganizations } from './server-organizations.ts'

/** The words of the visitor's language, and where the pages are. */
export interface OrganizationSwitcherProps {
  /** In the language of the visitor: `koreanWords`, for example. English unless set. */
  words?: OrganizationWords
  /** Where the list of organizations is. `/orgs` unless set. */
  path?: string
  /** The page of an organization that it leads to. `members` unless set. */
  home?: string
}

/**
 * The organizations of the signed-in user behind one button, for the header of your app. The page's address says in
 * which one a tab is; nothing is kept, so other tabs stay where they are.
 */
export async function OrganizationSwitcher({
  words = {},
  path = '/orgs',
  home = 'members',
}: OrganizationSwitcherProps): Promise<ReactNode> {
  // Without an answer of the API, it leads to the list.
  const open = await openOrganizations().catch(() => [])
  return (
    <LinkMenu
      button={said(words, 'Organizations')}
      links={open.map(({ name, slug }) => ({
        href: `${path}/${slug}/${home}`,
        label: <bdi>{name}</bdi>,
        part: `${path}/${slug}`,
      }))}
      end={
        <TextLink href={path} isAlone>
          {said(words, open.length === 0 ? 'Create an organization' : 'All organizations')}
        </TextLink>
      }
    />
  )
}

/** A server has no provider. These sentences have no values and no plural. */
function said(words: OrganizationWords, sentence: OrganizationSentence) {
  const found = words[sentence]
  return typeof found === 'string' ? found : sentence
}
