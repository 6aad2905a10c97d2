import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { allowedBy, questionAbout } from './agent-words.ts'
import { countOfAgents, inOrder, placeOfAgent } from './agents.tsx'

it('an agent is known by the host of its answers, if it has one', () => {
  expect(placeOfAgent(say, 'agent.example.com')).toBe('agent.example.com')
  expect(placeOfAgent(say, 'localhost.example.com')).toBe('localhost.example.com')
  for (const host of ['127.0.0.1:7777', '[::1]:7777', 'localhost']) {
    expect(placeOfAgent(say, host)).toBe('A program on your computer')
  }
  expect(placeOfAgent(say, 'accounts.google.com:')).toBe('An app (accounts.google.com)')
  expect(placeOfAgent(say, 'device-code:')).toBe('A program that showed you a code')
})

it('agents are counted', () => {
  expect([0, 1, 2].map((count) => countOfAgents(say, count))).toEqual([
    'No connected agents',
    '1 connected agent',
    '2 connected agents',
  ])
})

it('what an agent has passed on stands below it, and says through whom', () => {
  const grant = (grantId: string, parentId?: string) => ({
    grantId,
    ...(parentId !== undefined && { parentId }),
    clientId: grantId,
    clientName: `Agent ${grantId}`,
    redirectHost: 'agent.example.com',
    scopes: [],
    resource: '/mcp',
    createdAtMillis: 0,
    expiresAtMillis: 0,
  })
  const grants = [grant('c', 'b'), grant('b', 'a'), grant('other'), grant('a'), grant('d', 'gone')]
  expect(inOrder(grants).map((each) => [each.grant.grantId, each.through])).toEqual([
    ['other', undefined],
    ['a', undefined],
    ['b', 'Agent a'],
    ['c', 'Agent b'],
    ['d', undefined],
  ])
})

it('an agent that a company has allowed says so, and what could connect it again', () => {
  const issuer = 'https://idp.example.com/tenant'
  expect(allowedBy(say, issuer)).toBe('Your company allowed it, at idp.example.com.')
  expect(questionAbout(say, { clientName: 'Helper', issuer }, undefined)).toBe(
    'Disconnect Helper? Your company can allow it again, at idp.example.com.',
  )
  expect(questionAbout(say, { clientName: 'Helper' }, undefined)).toContain('allow it again later')
  expect(questionAbout(say, { clientName: 'Helper' }, 'Agent')).toContain('if Agent calls it')
})
