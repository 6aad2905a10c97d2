import { StepUpRequiredError } from '@svc/auth'
import { NotFoundError, TooManyRequestsError } from '@svc/core/client'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../../account/account.ts'
import { english as say } from '../words/say.ts'
import { AgentAsks, AgentDecided, agentFailure } from './agent-request.tsx'

const request: AgentRequest = {
  userCode: 'K7QM-2XVH',
  clientId: 'a-registered-one',
  clientName: 'Deploy bot',
  resource: '/mcp',
  scopes: [{ name: 'board', description: 'Read the board' }],
  owners: [],
  expiresAtMillis: Date.now() + 475_000,
}
const nothing = () => {}
const rest = {
  as: 'ada@example.com',
  error: null,
  isBusy: false,
  onAllow: nothing,
  onDeny: nothing,
  onStartOver: nothing,
}
const shown = (given: Partial<AgentRequest> = {}) =>
  renderToStaticMarkup(createElement(AgentAsks, { ...rest, request: { ...request, ...given } }))

describe('the page of a program that shows a code', () => {
  it('says that the user must have started it themselves (RFC 8628, section 5.4)', () => {
    const html = shown()
    expect(html).toContain('Allow only a program that you started yourself, just now.')
    expect(html).toContain('If someone sent you this code or a link, deny')
    expect(html.indexOf('started yourself')).toBeLessThan(html.indexOf('>Allow</button>'))
  })

  it('shows the code to compare, the account, and what it will be able to do (section 3.3.1)', () => {
    const html = shown()
    for (const fact of ['K7QM-2XVH', 'ada@example.com', 'Read the board', '7:55']) {
      expect(html).toContain(fact)
    }
    expect(html).not.toContain('It redirects to')
    expect(html).not.toContain('Connect it for')
  })

  it('shows the host of its document, if it has one, and what is elsewhere', () => {
    expect(shown()).not.toContain('It is identified by')
    const html = shown({
      clientId: 'https://bot.example.com/client.json',
      resource: 'https://files.example.com/',
    })
    expect(html).toContain('It is identified by')
    expect(html).toContain('bot.example.com')
    expect(html).toContain('https://files.example.com/')
  })

  it('asks for whom, if there is a choice', () => {
    const html = shown({ owners: [{ id: 'an-organization', name: 'Example Ltd' }] })
    expect(html).toContain('Connect it for')
    expect(html).toContain('Example Ltd')
  })

  it('isolates its name, so that the name can’t change the text around it', () => {
    expect(shown({ clientName: '\u202E<b>tob</b>' })).toMatch(
      /<bdi [^>]*>\u202E&lt;b&gt;tob&lt;\/b&gt;<\/bdi>/,
    )
  })

  it('can’t be decided before its script knows that no other page shows it in a frame', () => {
    const disabled = shown().match(/<button[^>]*aria-disabled="true"[^>]*>(?:Allow|Deny)</g) ?? []
    expect(disabled).toHaveLength(2)
  })

  it('says what was decided, and where to go on', () => {
    const ended = (decision: 'allowed' | 'denied') =>
      renderToStaticMarkup(createElement(AgentDecided, { request, decision, onStartOver: nothing }))
    expect(ended('allowed')).toContain('Go back to the program.')
    expect(ended('allowed')).toContain('/account/agents')
    expect(ended('denied')).toContain('The program has done nothing')
    expect(ended('denied')).not.toContain('/account/agents')
  })

  it('says why nothing was decided', () => {
    expect(agentFailure(say, null)).toBe('')
    expect(agentFailure(say, new NotFoundError({ resource: 'code' }))).toContain('has expired')
    expect(agentFailure(say, new StepUpRequiredError())).toContain('second step')
    expect(agentFailure(say, new TooManyRequestsError({ retryAfter: 9 }))).toContain('9 seconds')
  })
})
