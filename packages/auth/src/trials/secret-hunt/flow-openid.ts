import { pkce } from '../../oauth2/testing/test-agent.ts'
import { testRelyingParty } from '../../oauth2/testing/test-openid.ts'
import { done } from '../../test-answers.ts'
import type { Application } from './application.ts'

/** A user signs in at another application: with a verifier and with a nonce, with the code used again, and to the end. */
export async function signInElsewhere(app: Application) {
  const [intranet, partner] = [testRelyingParty(app), testRelyingParty(app, 'partner')]
  const user = await app.signedInUser()
  const { access_token, id_token } = await intranet.signIn(user)
  await intranet.userinfo(access_token)
  const { code } = await intranet.answered(user, { id_token_hint: id_token, max_age: '60' })
  await intranet.redeem(code, { code_verifier: pkce().verifier })
  await partner.redeem(code)
  const body = await done(intranet.redeem(code))
  await intranet.redeem(code)
  await intranet.userinfo(body.access_token)
  await partner.decide(user, await partner.passedOn({ prompt: 'login' }), 'deny')
  const form = new URLSearchParams({ token: access_token })
  const url = `${app.url}/_auth/oauth2/revoke`
  await fetch(url, { method: 'POST', headers: intranet.basic(), body: form })
}
