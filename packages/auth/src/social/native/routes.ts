import { implement } from '../../running/implement.ts'
import { answerSignIn } from '../../sign-in/answer-sign-in.ts'
import { nativeContract } from './contract.ts'
import { oauthNative } from './oauth-native.ts'

export const nativeRoutes = implement(nativeContract, {
  oauthNative: async ({ auth, params, body, c }) =>
    answerSignIn(c, await oauthNative(auth, { raw: c.raw, ...params, body })),
})
