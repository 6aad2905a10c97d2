import { signedOutUri, testRelyingParty } from '../../../oauth2/testing/test-openid.ts'
import type { Lives, Stage } from './stage.ts'

/** What applications ask for that sign users in. */
export function applications({ auth }: Stage): Lives {
  const intranet = testRelyingParty(auth)

  async function logout() {
    const { id_token } = await intranet.signIn(await auth.signedInUser())
    return { id_token_hint: id_token, post_logout_redirect_uri: signedOutUri, state: 'a state' }
  }

  return {
    getOpenidLogout: async () => ({ query: await logout() }),
    postOpenidLogout: async () => ({ form: await logout() }),
    describeOpenidLogout: async () => {
      const { page } = await intranet.signOut(await logout())
      return { query: { request: new URL(page).searchParams.get('request') } }
    },
  }
}
