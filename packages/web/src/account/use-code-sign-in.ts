import { authApi, type ProxiedLoginResult } from '@svc/auth'
import type { SendProof } from './send-proof.ts'
import { useEmailCode } from './use-email-code.ts'

interface Options extends SendProof {
  /** Somebody is signed in; before a second factor is proved, `mfaRequired` is true and nobody is. */
  onAnswer: (result: ProxiedLoginResult) => void | Promise<void>
  api?: Pick<typeof authApi, 'sendVerificationCode' | 'verifyCode' | 'login'>
}

/** Signs in with a code that is mailed. What fails after the code was asked for is the failure of `verifying`. */
export function useCodeSignIn({ onAnswer, proof, api = authApi }: Options) {
  return useEmailCode({
    purpose: 'login',
    onProven: async (proven) => onAnswer(await api.login.call({ body: proven })),
    proof,
    api,
  })
}
