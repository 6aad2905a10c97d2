import { startCodeFlow } from './test-code-flow.ts'
import { type Asked, startProviderServer, type TestAnswer } from './test-provider-server.ts'

interface GithubUser {
  readonly id: unknown
  readonly login?: string
  readonly name?: string | null
  /** That of the public profile. */
  readonly email?: string | null
  readonly emails?: readonly { email: unknown; primary: boolean; verified: unknown }[]
  /** What `/user/emails` answers without the scope. */
  readonly emailsStatus?: number
}

export const githubUser: GithubUser = {
  id: 583231,
  login: 'octocat',
  name: 'The Octocat',
  email: null,
  emails: [{ email: 'octocat@example.com', primary: true, verified: true }],
}

const client = { clientId: 'Iv1.github', clientSecret: 'secret-of-github' }

/**
 * GitHub as its documentation shows it.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export async function startTestGithub() {
  const flow = startCodeFlow<GithubUser>(
    {
      ...client,
      takesPkce: true,
      tokens: () => ({ scope: 'read:user,user:email' }),
      // A refusal of GitHub's is a 200.
      refusal: (error) => ({
        json: { error: error === 'invalid_grant' ? 'bad_verification_code' : error },
      }),
    },
    githubUser,
  )

  const server = await startProviderServer((asked) => {
    const answer = answers[`${asked.method} ${asked.path}`]
    return answer?.(asked) ?? { status: 404, json: { message: 'Not Found' } }
  })

  const answers: Record<string, (asked: Asked) => TestAnswer> = {
    'GET /login/oauth/authorize': flow.authorize,
    'POST /login/oauth/access_token': flow.token,
    'GET /user': (asked) => withUser(asked, (user) => ({ json: { login: 'octocat', ...user } })),
    'GET /user/emails': (asked) =>
      withUser(asked, ({ emails = [], emailsStatus: status = 200 }) =>
        status === 200 ? { json: emails } : { status, json: { message: 'Not Found' } },
      ),
  }

  function withUser(asked: Asked, answer: (user: GithubUser) => TestAnswer) {
    const user = flow.userOf(asked)
    return user ? answer(user) : { status: 401, json: { message: 'Bad credentials' } }
  }

  return {
    env: {
      SVC_AUTH_GITHUB_CLIENT_ID: client.clientId,
      SVC_AUTH_GITHUB_CLIENT_SECRET: client.clientSecret,
      SVC_AUTH_GITHUB_AUTHORIZATION_ENDPOINT: `${server.origin}/login/oauth/authorize`,
      SVC_AUTH_GITHUB_TOKEN_ENDPOINT: `${server.origin}/login/oauth/access_token`,
      SVC_AUTH_GITHUB_API_URL: server.origin,
    },
    asked: server.asked,
    setUser: flow.setUser,
    setConsent: flow.setConsent,
    misbehave: server.misbehave,
    stop: server.stop,
  }
}
