import type { TestServer } from '@svc/core/testing'
import type { TestAnswer, TestAuth, TestUser } from '../../../testing.ts'
import { type Agent, testAgents } from '../../testing/test-agent.ts'

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

type Fields = Record<string, string | undefined>

interface Sending {
  form?: Fields
  headers?: Record<string, string>
  at?: TestServer
}

/** What a terminal has been given to show, and to poll with. */
export interface ShownCode {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

/** A program that shows a code, one request at a time, and what its user does. */
export function testTerminals(auth: TestAuth) {
  const agents = testAgents(auth)

  const register = (metadata: object = {}): Promise<Agent> =>
    agents.register({
      client_name: 'A terminal',
      redirect_uris: undefined,
      grant_types: [deviceGrantType, 'refresh_token'],
      ...metadata,
    })

  async function send(
    path: 'device_authorization' | 'token',
    fields: Fields,
    { form, headers = {}, at = auth.server }: Sending = {},
  ): Promise<TestAnswer> {
    const given = Object.entries({ ...fields, ...form }).filter(([, value]) => value !== undefined)
    const body = new URLSearchParams(given as [string, string][])
    const answer = await fetch(`${at.url}/_auth/oauth2/${path}`, { method: 'POST', body, headers })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  const credentials = ({ clientId, clientSecret }: Agent) => ({
    client_id: clientId,
    client_secret: clientSecret,
  })

  const ask = (agent: Agent, sending?: Sending) =>
    send('device_authorization', credentials(agent), sending)

  /** The codes of a client that may ask. */
  async function start(agent: Agent, sending?: Sending): Promise<ShownCode> {
    const { status, body } = await ask(agent, sending)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body
  }

  const formOf = (agent: Agent, { device_code }: Pick<ShownCode, 'device_code'>) => ({
    grant_type: deviceGrantType,
    device_code,
    ...credentials(agent),
  })

  const poll = (agent: Agent, code: Pick<ShownCode, 'device_code'>, sending?: Sending) =>
    send('token', formOf(agent, code), sending)

  type Shown = Pick<ShownCode, 'user_code'>
  type By = Pick<TestUser, 'key'>
  const look = ({ user_code: userCode }: Shown, { key }: By) =>
    auth.call('getOAuth2DeviceRequest', { userCode }, key)
  const decide = ({ user_code: userCode }: Shown, { key }: By, given: object = {}) =>
    auth.call('decideOAuth2DeviceRequest', { userCode, decision: 'allow', ...given }, key)
  const deny = (code: Shown, by: By) => decide(code, by, { decision: 'deny' })

  /** A code that a user has allowed. */
  async function allowed(user: By, agent: Agent, sending?: Sending) {
    const code = await start(agent, sending)
    const { status, body } = await decide(code, user)
    if (status !== 204) throw new Error(JSON.stringify(body))
    return code
  }

  return { register, ask, start, formOf, poll, look, decide, deny, allowed }
}
