import { ofAccounts } from './of-accounts.ts'
import { ofKeys } from './of-keys.ts'
import { ofProofs } from './of-proofs.ts'

export const mutations = [...ofKeys, ...ofAccounts, ...ofProofs]
