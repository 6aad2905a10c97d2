import type { AnyContract } from '@svc/auth/contract'
import { organizations } from '@svc/organizations/contract'

/** The contracts of capabilities beside sign-in. The web app's proxy reads them too; server.ts has the capabilities. */
export const contracts: readonly AnyContract[] = [organizations]
