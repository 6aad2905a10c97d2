import { app } from './running-web-app.ts'
import { supportOn } from './support-session.ts'
import { signedInVisitor, type Visitor } from './visitor.ts'

/** An owner who has a page open, which listens to what becomes of the account. */
export async function ownerOn(path: string) {
  const user = await app.api.createUser()
  const visitor = await signedInVisitor(user)
  // The page reads the list once its stream is open.
  const isListening = visitor.page.waitForResponse(/\/api\/rpc\/listKeys/)
  await visitor.open(path)
  await isListening
  return { user, visitor, openSession: () => supportOn(user) }
}

export const codePage = '/account/security/support-code'
export const code = ({ page }: Visitor) => page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
