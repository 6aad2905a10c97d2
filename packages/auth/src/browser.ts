import { createPageApi } from '@svc/core/page'
import type { ProxiedAuthApi } from './auth-api.ts'
import type { AuthContract } from './auth-contract.ts'

// What a bundler takes for `@svc/auth` in a page: the same, with a smaller `authApi`, which has no route map.
export * from './index.ts'

/** It calls the web app's RPC proxy, which signs. */
export const authApi = createPageApi<AuthContract>({
  proxy: '/api/rpc',
}) as unknown as ProxiedAuthApi // what is left out of its types is added, or taken out, by the proxy
