import { serverAuthApi } from '../server-api.ts'

/** The providers that browsers can sign in with. While the API is away there are none: its form says so, once it is sent. */
export async function webProviders() {
  try {
    const { providers } = await serverAuthApi().providers.call()
    return providers.filter(({ web }) => web).map(({ id }) => id)
  } catch {
    return []
  }
}
