import { expect, it } from 'vitest'
import { requestOf, startAgent } from './agent-on-this-machine.ts'
import { enrolledVisitor } from './enrolled-visitor.ts'
import { newOrganization, organizationApiOf } from './organization.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

it('an agent is connected for an organization that the user chooses on the consent page', async () => {
  const agent = await startAgent()
  const visitor = await newVisitor()
  const owner = await app.api.signedInUser()
  const { org, name } = await newOrganization('Acme', owner)
  await visitor.signIn(owner, `/_auth/oauth2/authorize?${requestOf(agent).asked}`)
  const choice = visitor.page.getByRole('group', { name: 'Connect it for' })
  expect(await choice.getByLabel(owner.email, { exact: true }).isChecked()).toBe(true)
  await choice.getByLabel(name, { exact: true }).check()
  await visitor.click('Allow')
  await visitor.page.getByRole('heading', { name: 'Connected' }).waitFor()

  const api = organizationApiOf(owner)
  const { serviceAccounts } = await api.listServiceAccounts.call({ params: { org } })
  expect(serviceAccounts).toMatchObject([{ name: 'Agent Smith' }])
})

it('the consent page says what is wrong with a request', async () => {
  const { page, open, signIn } = await newVisitor()
  await signIn(await app.api.createUser(), '/oauth2/consent?client_id=none')
  await page.getByRole('heading', { name: 'This request does not work' }).waitFor()
  const answer = await open('/oauth2/consent?client_id=none')
  expect(answer?.status()).toBe(400)
})

it('the consent page asks for the second step in a dialog, and goes on', async () => {
  const agent = await startAgent()
  const { page, open, click, user } = await enrolledVisitor()
  await open(`/_auth/oauth2/authorize?${requestOf(agent).asked}`)
  await click('Allow')
  await page.getByRole('dialog').getByLabel('Code', { exact: true }).fill(user.phone.nextCode())
  await click('Continue')
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  expect(agent.came[0]?.searchParams.has('code')).toBe(true)
})
