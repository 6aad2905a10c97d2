import { createAuthApi } from '@svc/auth'
import type { TestUser } from '@svc/auth/testing'
import { organizationClient } from '@svc/organizations'
import type { AppRouter } from '../../api/router.ts'
import { linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'

/** What a user does in organizations by the API, beside the pages. */
export const organizationApiOf = ({ key }: Pick<TestUser, 'key'>) =>
  createAuthApi({
    baseUrl: app.api.url,
    clients: [organizationClient],
    sign: app.api.signerOf(key),
  })

/** The same on the board. */
export const boardApiOf = ({ key }: Pick<TestUser, 'key'>) =>
  app.api.api<AppRouter>({ sign: app.api.signerOf(key) })

let made = 0

/** An organization with its owner. Its address begins with its name, in small letters. */
export async function newOrganization(name: string, given?: TestUser) {
  const owner = given ?? (await app.api.signedInUser())
  made += 1
  const slug = `${name.toLowerCase()}-${made}`
  const api = organizationApiOf(owner)
  const { organizationId: org } = await api.createOrganization.call({ body: { name, slug } })
  return { owner, org, slug, name }
}

/** The path of the link in an invitation. */
export function invitedBy(owner: TestUser, org: string, email: string) {
  const api = organizationApiOf(owner)
  const invite = () => api.inviteToOrganization.call({ params: { org }, body: { email } })
  return linkSentBy(invite, email, 'organizations.invitation')
}

/** A user who has accepted an invitation. */
export async function newMember(owner: TestUser, org: string, as?: { email: string }) {
  const member = await app.api.signedInUser(as)
  const link = await invitedBy(owner, org, member.email)
  const token = new URL(link, app.web).searchParams.get('token') ?? ''
  const api = organizationApiOf(member)
  await api.acceptOrganizationInvitation.call({ body: { token } })
  return member
}
