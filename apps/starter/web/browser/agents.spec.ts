import { expect, it } from 'vitest'
import { post, startTerminal } from './agent-in-a-terminal.ts'
import { requestOf, startAgent } from './agent-on-this-machine.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

/** Whether a token opens what it is for. */
const opens = async (token: string) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${app.api.url}/mcp`, { method: 'POST', headers, body: '{}' })
  return answer.status !== 401
}

it('an agent is allowed on the consent page, is listed, and loses access once it is disconnected', async () => {
  const agent = await startAgent()
  const user = await app.api.createUser()
  const { asked, verifier } = requestOf(agent)
  const visitor = await newVisitor()
  const { page } = visitor
  await visitor.signIn(user, `/_auth/oauth2/authorize?${asked}`)
  await page.getByRole('heading', { name: 'Allow Agent Smith to use your account?' }).waitFor()
  await visitor.see(new URL(agent.redirectUri).host)
  await visitor.see('Post notices in your name')
  await visitor.see(user.email)

  await visitor.click('Allow')
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  const [back] = agent.came
  expect(back?.searchParams.get('state')).toBe('a state of the agent')
  const tokens = await post('token', {
    grant_type: 'authorization_code',
    client_id: agent.clientId,
    redirect_uri: agent.redirectUri,
    code: back?.searchParams.get('code') ?? '',
    code_verifier: verifier,
  })
  const token = tokens['access_token'] ?? ''
  expect(await opens(token)).toBe(true)

  await visitor.open('/account/agents')
  await visitor.see('Post notices in your name')
  await visitor.click('Disconnect Agent Smith')
  await visitor.click('Yes, disconnect it')
  await visitor.see('Agent Smith is disconnected.')
  await page.getByRole('heading', { name: 'No connected agents' }).waitFor()
  expect(await opens(token)).toBe(false)
})

it('nothing is allowed to an agent by another account than it was shown to', async () => {
  const agent = await startAgent()
  const { asked } = requestOf(agent)
  const visitor = await newVisitor()
  const { page } = visitor
  await visitor.signIn(await app.api.createUser(), `/_auth/oauth2/authorize?${asked}`)
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor()

  const other = await app.api.createUser()
  await visitor.context.clearCookies()
  const inOtherTab = await visitor.context.newPage()
  await inOtherTab.goto(`${app.web}/login`)
  await inOtherTab.getByLabel('Email', { exact: true }).fill(other.email)
  await inOtherTab.getByLabel('Password', { exact: true }).fill(other.password)
  await inOtherTab.getByRole('button', { name: 'Sign in', exact: true }).click()
  await inOtherTab.waitForURL(`${app.web}/`)

  await visitor.click('Allow')
  await visitor.see('your session has changed')
  expect(agent.came).toEqual([])
  await page.reload()
  await visitor.see(other.email)
})

it('a program that shows a code is allowed by who types it in, and continues', async () => {
  const { shown, poll } = await startTerminal()
  const code = shown['user_code'] ?? ''
  expect(shown['verification_uri']).toBe(`${app.web}/device`)
  expect(await poll()).toMatchObject({ error: 'authorization_pending' })

  const user = await app.api.createUser()
  const visitor = await newVisitor()
  const { page } = visitor
  const complete = new URL(shown['verification_uri_complete'] ?? '')
  await visitor.signIn(user, `${complete.pathname}${complete.search}`)
  // Only the user sends what is filled in.
  await visitor.click('Continue')
  await page.getByRole('heading', { name: 'Allow Deploy bot to use your account?' }).waitFor()
  const text = await page.getByRole('main').innerText()
  for (const fact of [code, user.email, 'Read the board', 'that you started yourself']) {
    expect(text).toContain(fact)
  }
  await visitor.click('Allow')
  await visitor.see('Go back to the program.')
  const tokens = await poll()
  expect(await opens(tokens['access_token'] ?? '')).toBe(true)
  await page.getByRole('link', { name: 'Connected agents' }).click()
  await visitor.see('A program that showed you a code')
})
