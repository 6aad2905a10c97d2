import { expect, it } from 'vitest'
import { startTerminal } from './agent-in-a-terminal.ts'
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

it('the page for codes asks for the second step in a dialog, and goes on', async () => {
  const { shown, poll } = await startTerminal()
  const { page, open, click, fill, see, user } = await enrolledVisitor()
  await open('/device')
  await fill('Code', shown['user_code'] ?? '')
  await click('Continue')
  await click('Allow')
  await page.getByRole('dialog').getByLabel('Code', { exact: true }).fill(user.phone.nextCode())
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await see('Go back to the program.')
  expect(await poll()).toMatchObject({ token_type: 'Bearer' })
})

it('the page for codes denies a program, for an organization too, and knows no other code', async () => {
  const { shown, poll } = await startTerminal()
  const visitor = await newVisitor()
  const owner = await app.api.signedInUser()
  const { name } = await newOrganization('Acme', owner)
  await visitor.signIn(owner, '/device')
  await visitor.fill('Code', '2222-2222')
  await visitor.click('Continue')
  await visitor.see('No device is waiting with this code.')
  await visitor.fill('Code', (shown['user_code'] ?? '').toLowerCase())
  await visitor.click('Continue')
  const choice = visitor.page.getByRole('group', { name: 'Connect it for' })
  await choice.getByLabel(name, { exact: true }).check()
  await visitor.click('Deny')
  await visitor.see('Refused. The program has done nothing.')
  expect(await poll()).toMatchObject({ error: 'access_denied' })
  await visitor.click('Enter another code')
  await visitor.see('A program in a terminal can show a code too.')
})
