import { afterAll, describe, expect, it } from 'vitest'
import { startTestOrganizations, stepsOf } from '../test-organizations.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())
const { apiOf, created, invited, joined, ask } = stepsOf(auth)

/** As a visitor who is not signed in. */
const read = (token: string) => {
  const body = JSON.stringify({ token })
  return ask('/_auth/organizations/invitations/lookup', {}, { method: 'POST', body })
}

const email = 'grace.hopper@acme.example'

describe('the offer of an invitation', () => {
  it('names the organization, the roles and a hint of the address, and nothing else', async () => {
    const { owner, org } = await created('Divers')
    const body = { name: 'clerk', displayName: 'Clerk', permissions: ['invoice:read'] }
    await apiOf(owner).createOrganizationRole.call({ params: { org }, body })
    const token = await invited(owner, org, { email, roles: ['member', 'clerk'] })
    const offer = {
      organization: 'Divers',
      roles: ['Member', 'Clerk'],
      emailHint: 'g…@acme.example',
    }
    expect(await read(token)).toEqual({ status: 200, body: offer })
    // It changes nothing: the link still works.
    expect(await read(token)).toEqual({ status: 200, body: offer })
    const { invitations } = await apiOf(owner).listOrganizationInvitations.call({ params: { org } })
    expect(invitations).toHaveLength(1)
  })

  it('is refused in one way: unknown, used, cancelled, expired, closed, or without its inviter', async () => {
    const { owner, org } = await created()
    const params = { org }
    const refusal = async (token: string) => {
      const { status, body } = await read(token)
      return JSON.stringify([status, body]).replaceAll(body.error?.requestId ?? '-', '')
    }
    const unknown = await refusal('x'.repeat(43))
    expect(unknown).toContain('404')
    expect(unknown).toContain('OrganizationInvitationNotFoundError')

    const guest = await auth.signedInUser()
    const used = await invited(owner, org, { email: guest.email })
    await apiOf(guest).acceptOrganizationInvitation.call({ body: { token: used } })
    expect(await refusal(used)).toBe(unknown)

    const cancelled = await invited(owner, org, { email })
    const { invitations } = await apiOf(owner).listOrganizationInvitations.call({ params })
    const [{ invitationId } = { invitationId: '' }] = invitations
    expect((await read(cancelled)).status).toBe(200)
    await apiOf(owner).cancelOrganizationInvitation.call({ params: { org, invitationId } })
    expect(await refusal(cancelled)).toBe(unknown)

    const admin = await joined(owner, org, ['admin'])
    const byFormer = await invited(admin, org, { email })
    expect((await read(byFormer)).status).toBe(200)
    await apiOf(admin).leaveOrganization.call({ params })
    expect(await refusal(byFormer)).toBe(unknown)

    const ofClosed = await invited(owner, org, { email: 'other@acme.example' })
    expect((await read(ofClosed)).status).toBe(200)
    await apiOf(owner).closeOrganization.call({ params, body: {} })
    expect(await refusal(ofClosed)).toBe(unknown)

    const late = await created()
    const expired = await invited(late.owner, late.org, { email })
    expect((await read(expired)).status).toBe(200)
    auth.clock.advance('7d')
    expect(await refusal(expired)).toBe(unknown)
  })
})
