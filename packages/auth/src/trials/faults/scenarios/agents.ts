import { machineOf } from '../../../machine-keys/testing/machines.ts'
import { testTerminals } from '../../../oauth2/device-grant/testing/test-terminal.ts'
import { pkce, redirectUri } from '../../../oauth2/testing/test-agent.ts'
import {
  redirectUri as callback,
  secret,
  testRelyingParty,
} from '../../../oauth2/testing/test-openid.ts'
import { done } from '../../../test-answers.ts'
import { wipePath } from './application.ts'
import { operator } from './people.ts'
import { type Ask, type Scenario, type Stage, scenario } from './stage.ts'

/** A form, as agents and providers send one. */
const askWithForm =
  (path: string, form: Record<string, string>): Ask =>
  async ({ url }) => ({
    method: 'POST',
    url: `${url}${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams(form)),
  })

async function granted({ agents, signedInUser }: Stage) {
  const [user, agent] = [await signedInUser(), await agents.register()]
  return { user, client_id: agent.clientId, ...(await agents.tokens(user, agent)) }
}

/** A program that shows a code, and the user who reads it. */
async function shownCode(stage: Stage) {
  const terminals = testTerminals(stage)
  const terminal = await terminals.register()
  const [code, user] = [await terminals.start(terminal), await stage.signedInUser()]
  return { terminals, terminal, code, user }
}

async function linked({ links, provider, signedInUser }: Stage) {
  const { userId, email } = await signedInUser()
  await links.put(userId, provider, email)
  return { path: `/_auth/oauth/${provider.id}/unlink-notify`, who: email }
}

/** The owner's decision on a call of their machine. */
const deciding = (decision: 'approveCall' | 'refuseCall') => async (stage: Stage) => {
  const user = await stage.signedInUser()
  const key = await machineOf(stage, user)
  const request = { method: 'POST', url: `${stage.url}${wipePath}`, body: '' }
  const headers = await stage.signerOf(key)(request)
  const { approvalId } = await (await fetch(request.url, { method: 'POST', headers })).json()
  return stage.ask(decision, {}, user.key, { params: { approvalId } })
}

/** What programs of others ask for. */
export const agentScenarios = {
  registerOAuth2Client: scenario(
    async ({ ask }) =>
      ask('registerOAuth2Client', {
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
      }),
    '201',
  ),
  createOAuth2AuthorizationCode: scenario(async ({ ask, agents, signedInUser }) => {
    const fields = agents.asked(await agents.register(), pkce().challenge)
    const { key } = await signedInUser()
    return ask('createOAuth2AuthorizationCode', { ...fields, decision: 'allow' }, key)
  }, '200'),
  oauth2Token: scenario(async ({ agents, signedInUser }) => {
    const agent = await agents.register()
    const { code, verifier } = await agents.allow(await signedInUser(), agent)
    return askWithForm('/_auth/oauth2/token', {
      grant_type: 'authorization_code',
      client_id: agent.clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    })
  }, '400 invalid_grant'),
  'oauth2Token for a sign-in elsewhere': scenario(async (stage) => {
    const { code = '' } = await testRelyingParty(stage).answered(await stage.signedInUser())
    return askWithForm('/_auth/oauth2/token', {
      grant_type: 'authorization_code',
      client_id: 'intranet',
      client_secret: secret,
      redirect_uri: callback,
      code,
    })
  }, '400 invalid_grant'),
  'oauth2Token by refreshing': scenario(
    async (stage) => {
      const { client_id, refresh_token } = await granted(stage)
      const form = { grant_type: 'refresh_token', client_id, refresh_token }
      return askWithForm('/_auth/oauth2/token', form)
    },
    '200',
    { givenOnce: ['access_token', 'refresh_token'] },
  ),
  'oauth2Token by a device code': scenario(async (stage) => {
    const { terminals, terminal, code, user } = await shownCode(stage)
    await terminals.decide(code, user)
    const { client_secret: _none, ...form } = terminals.formOf(terminal, code)
    return askWithForm('/_auth/oauth2/token', form)
  }, '400 invalid_grant'),
  oauth2DeviceAuthorization: scenario(async (stage) => {
    const { clientId: client_id } = await testTerminals(stage).register()
    return askWithForm('/_auth/oauth2/device_authorization', { client_id })
  }, '200'),
  getOAuth2DeviceRequest: scenario(async (stage) => {
    const { code, user } = await shownCode(stage)
    return stage.ask('getOAuth2DeviceRequest', { userCode: code.user_code }, user.key)
  }, '200'),
  decideOAuth2DeviceRequest: scenario(async (stage) => {
    const { code, user } = await shownCode(stage)
    const body = { userCode: code.user_code, decision: 'allow' }
    return stage.ask('decideOAuth2DeviceRequest', body, user.key)
  }, '404 NotFoundError'),
  oauth2Revoke: scenario(async (stage) => {
    const { client_id, refresh_token: token } = await granted(stage)
    return askWithForm('/_auth/oauth2/revoke', { client_id, token })
  }, '200'),
  revokeOAuth2Grant: scenario(async (stage) => {
    const { user } = await granted(stage)
    const { grants } = await done(stage.call('listOAuth2Grants', undefined, user.key))
    const params = { grantId: String(grants[0].grantId) }
    return stage.ask('revokeOAuth2Grant', undefined, user.key, { params })
  }, '404 NotFoundError'),
  endAgentGrant: scenario(async (stage) => {
    const { user } = await granted(stage)
    const { grants } = await done(stage.call('listOAuth2Grants', undefined, user.key))
    const params = { grantId: String(grants[0].grantId) }
    return stage.ask('endAgentGrant', {}, await operator(stage), { params })
  }, '404 NotFoundError'),
  approveCall: scenario(deciding('approveCall'), '404 ApprovalNotFoundError'),
  refuseCall: scenario(deciding('refuseCall'), '404 ApprovalNotFoundError'),
  unlinkNotify: scenario(async (stage) => {
    const { path, who } = await linked(stage)
    return askWithForm(path, { who })
  }, '200'),
  unlinkNotifyByQuery: scenario(async (stage) => {
    const { path, who } = await linked(stage)
    const query = new URLSearchParams({ who })
    return async ({ url }) => ({ method: 'GET', url: `${url}${path}?${query}`, headers: {} })
  }, '200'),
} satisfies Record<string, Scenario>
