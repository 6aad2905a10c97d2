import type { Handlers } from '../../capability/capability.ts'
import { answerSignIn } from '../../sign-in/answer-sign-in.ts'
import type { SocialHeld } from '../held.ts'
import { oauthNative } from './oauth-native.ts'
import type { nativeOperations } from './operations.ts'

export const nativeHandlers: Handlers<typeof nativeOperations, SocialHeld> = {
  oauthNative: async ({ auth, params, body, c }) =>
    answerSignIn(c, await oauthNative(auth, { raw: c.raw, ...params, body })),
}
