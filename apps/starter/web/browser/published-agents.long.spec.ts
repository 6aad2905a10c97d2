import { expect, it } from 'vitest'
import {
  connectionOf,
  listenForCodes,
  type PublishedAgent,
  registered,
} from './published-agents.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

// What makers of agents publish and register, as they write it, in a real browser.

/** Whether a request goes to this redirect URI. A browser adds the slash to a host without a path. */
function isTo(redirectUri: string) {
  const { href } = new URL(redirectUri)
  return (url: string) => url.startsWith(`${href}${href.includes('?') ? '&' : '?'}`)
}

/** A user who has signed in once, and connects one agent after another. */
async function connectingUser() {
  const visitor = await newVisitor()
  const { page, context } = visitor
  await visitor.signIn(await app.api.createUser())
  await visitor.isSignedIn()
  const { came, at } = await listenForCodes()
  // The pages of the makers: no test asks their hosts.
  await context.route(/^https:/, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Connected</h1>' }),
  )

  /** From the request for access to the call of a tool. */
  async function connect(agent: PublishedAgent, published: string) {
    const redirectUri = at(published)
    const what = `${agent.name}: ${redirectUri}`
    const { asked, state, redeem, callTool } = connectionOf(agent, redirectUri)
    await visitor.open(`/_auth/oauth2/authorize?${asked}`)
    await page.getByRole('heading', { name: `Allow ${agent.name} to use your account?` }).waitFor()
    const isBack = isTo(redirectUri)
    const goingBack = page.waitForRequest((request) => isBack(request.url()), { timeout: 10_000 })
    await visitor.click('Allow')
    const back = new URL((await goingBack).url())
    const { code = '', ...rest } = Object.fromEntries(back.searchParams)
    expect(rest, what).toEqual({ state, iss: app.web })
    // An app of its own is not on this machine, and the page stays.
    if (/^https?:/.test(redirectUri)) {
      await page.getByRole('heading', { name: 'Connected' }).waitFor()
    }
    if (redirectUri.startsWith('http:')) expect(came.at(-1), what).toBe(back.href)
    const { access_token: token = '', ...tokens } = await redeem(code)
    expect(tokens, what).toMatchObject({ token_type: 'DPoP', scope: 'notice:read' })
    const { result } = await callTool(token, 'listNotices')
    expect(result, what).toMatchObject({ structuredContent: { data: expect.any(Array) } })
    const stolen = await connectionOf(agent, redirectUri).callTool(token, 'listNotices')
    expect(stolen, what).toMatchObject({ error: { code: 'UnauthorizedError' } })
  }

  return { connect }
}

it('each agent that has published a document goes from consent to the call of a tool, with a bound token', {
  timeout: 120_000,
}, async () => {
  const { connect } = await connectingUser()
  for (const agent of app.published.documents) {
    for (const redirectUri of agent.redirectUris) await connect(agent, redirectUri)
  }
})

it('each agent that registers goes from consent to the call of a tool, with a bound token', {
  timeout: 180_000,
}, async () => {
  const { connect } = await connectingUser()
  for (const metadata of app.published.registrations) {
    const agent = await registered(metadata)
    for (const redirectUri of agent.redirectUris) await connect(agent, redirectUri)
  }
})
