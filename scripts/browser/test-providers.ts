import { startTestGithub } from '../../packages/auth/src/providers/testing/test-github.ts'
import {
  startOpenIdServer,
  type TestOpenIdServer,
} from '../../packages/auth/src/providers/testing/test-openid-server.ts'

type TestGithub = Awaited<ReturnType<typeof startTestGithub>>

export interface TestProviders {
  google: TestOpenIdServer
  github: TestGithub
  /** What a server is told so that it knows both. */
  env: TestOpenIdServer['env'] & TestGithub['env']
  stop: () => Promise<void>
}

/** Two providers on this machine: one of OpenID Connect, in the place of Google, and GitHub. */
export async function startTestProviders(): Promise<TestProviders> {
  const [google, github] = await Promise.all([startOpenIdServer(), startTestGithub()])
  return {
    google,
    github,
    env: { ...google.env, ...github.env },
    stop: async () => {
      github.stop()
      await google.stop()
    },
  }
}
