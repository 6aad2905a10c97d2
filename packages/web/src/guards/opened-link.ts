import { headers } from 'next/headers.js'
import { setupNamed } from '../auth-operations/setup.ts'
import { returnPath } from '../page/return-path.ts'
import { sharedWebAuth } from '../web-auth.ts'

/** What a mailed link has opened: whose password can be set, and where they go then. */
export interface OpenedLink {
  readonly email: string
  readonly returnPath: string
}

/** `signup` and `password reset` are ours; a capability of yours names others in its contract. */
type SetupKind = 'signup' | 'password reset' | (string & {})

/**
 * What a link has opened in the browser that asks for the page, until the setup expires. Null where there is none. A
 * page that is loaded again goes on with it.
 */
export async function getOpenedLink(kind: SetupKind): Promise<OpenedLink | null> {
  const { cookies, sealer } = sharedWebAuth()
  const { name, purpose } = setupNamed(kind.replaceAll(' ', '_'))
  const value = cookies.valueOf((await headers()).get('cookie'), name)
  const opened = value && (await sealer.open(purpose, value, Date.now()))
  if (!opened) return null
  const { email, returnPath: path } = opened.content
  return { email, returnPath: returnPath(path) }
}
