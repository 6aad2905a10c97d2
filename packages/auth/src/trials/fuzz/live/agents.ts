import { testTerminals } from '../../../oauth2/device-grant/testing/test-terminal.ts'
import { issuer } from '../../../oauth2/testing/test-agent.ts'
import { files, testResourceServer } from '../../../oauth2/testing/test-resource-server.ts'
import { done } from '../../../test-answers.ts'
import type { Lives, Stage } from './stage.ts'

const redirectUri = 'http://127.0.0.1:7777/callback'

/** What agents ask for, and what a person decides about them. */
export function agents({ auth, call, agents: at, ofUser, root }: Stage): Lives {
  const asked = async () => at.asked(await at.register(), 'c'.repeat(43))
  async function agentAsk() {
    const user = await auth.signedInUser()
    return { user, agent: await at.register() }
  }

  const terminals = testTerminals(auth)
  const shownCode = async () => (await terminals.start(await terminals.register())).user_code

  return {
    getOAuth2Authorize: async () => ({ query: await asked() }),
    createOAuth2AuthorizationCode: ofUser(async () => ({ ...(await asked()), decision: 'allow' })),
    oauth2Token: async () => {
      const { user, agent } = await agentAsk()
      const { code, verifier } = await at.allow(user, agent)
      const given = { client_id: agent.clientId, redirect_uri: redirectUri }
      const grant = { grant_type: 'authorization_code', code, code_verifier: verifier }
      return { form: { ...grant, ...given } }
    },
    oauth2DeviceAuthorization: async () => {
      const { clientId: client_id } = await terminals.register()
      return { form: { client_id } }
    },
    getOAuth2DeviceRequest: ofUser(async () => ({ userCode: await shownCode() })),
    decideOAuth2DeviceRequest: ofUser(async () => ({
      userCode: await shownCode(),
      decision: 'allow',
    })),
    oauth2Revoke: async () => {
      const { user, agent } = await agentAsk()
      const { access_token: token } = await at.tokens(user, agent)
      return { form: { token, client_id: agent.clientId } }
    },
    oauth2Introspect: async () => {
      const { user, agent } = await agentAsk()
      const { access_token: token } = await at.tokens(user, agent, { resource: files })
      return { form: { token, ...testResourceServer(auth, issuer).signed() } }
    },
    registerOAuth2Client: async () => ({
      body: { redirect_uris: ['http://127.0.0.1:7777/c'], token_endpoint_auth_method: 'none' },
    }),
    getOAuth2Grant: async () => {
      const { user, agent } = await agentAsk()
      await at.tokens(user, agent)
      const { grants } = await done(call('listOAuth2Grants', undefined, user.key))
      return { key: user.key, params: { grantId: grants[0].grantId as string } }
    },
    revokeOAuth2Grant: async () => {
      const { user, agent } = await agentAsk()
      await at.tokens(user, agent)
      const { grants } = await done(call('listOAuth2Grants', undefined, user.key))
      return { key: user.key, params: { grantId: grants[0].grantId as string } }
    },
    endAgentGrant: async () => {
      const { user, agent } = await agentAsk()
      await at.tokens(user, agent)
      const { grants } = await done(call('listOAuth2Grants', undefined, user.key))
      const params = { grantId: grants[0].grantId as string }
      return { key: root.key, params, body: { reason: 'a report' } }
    },
  }
}
