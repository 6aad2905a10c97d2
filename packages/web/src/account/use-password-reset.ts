import {
  authApi,
  PasswordResetLinkError,
  PasswordResetSessionError,
  type ProxiedLoginResult,
} from '@svc/auth'
import { type LinkRequestOptions, useLinkRequest } from './use-link-request.ts'
import { type PasswordSetupOptions, usePasswordSetup } from './use-password-setup.ts'

interface RequestOptions extends LinkRequestOptions {
  api?: Pick<typeof authApi, 'requestPasswordReset'>
}

/** Asks for a link to set a new password with. The answer is the same whether or not there is an account. */
export function usePasswordReset({ api = authApi, ...options }: RequestOptions = {}) {
  return useLinkRequest((body) => api.requestPasswordReset.call({ body }), options)
}

interface CompleteOptions extends PasswordSetupOptions {
  /** The password is set, and this browser signed in; before a second factor is proved, `mfaRequired` is true and nobody is. */
  onAnswer: (result: ProxiedLoginResult, returnPath: string) => void | Promise<void>
  api?: Pick<typeof authApi, 'confirmPasswordReset' | 'completePasswordReset'>
}

/** The page that a reset link leads to. Setting the password signs every other device out. */
export function useCompletePasswordReset({ onAnswer, api = authApi, ...given }: CompleteOptions) {
  return usePasswordSetup(given, {
    open: (token) => api.confirmPasswordReset.call({ body: { token } }),
    complete: async (password, { returnPath }) => {
      await onAnswer(await api.completePasswordReset.call({ body: { password } }), returnPath)
    },
    isOver: (error) =>
      error instanceof PasswordResetLinkError || error instanceof PasswordResetSessionError,
  })
}
