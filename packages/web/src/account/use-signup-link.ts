import { authApi, InvalidSignupLinkError, InvalidSignupSetupSessionError } from '@svc/auth'
import { type LinkRequestOptions, useLinkRequest } from './use-link-request.ts'
import { type PasswordSetupOptions, usePasswordSetup } from './use-password-setup.ts'

interface RequestOptions extends LinkRequestOptions {
  api?: Pick<typeof authApi, 'requestSignupLink'>
}

/** Asks for a link to sign up with. The answer is the same whether or not the address has an account. */
export function useSignupLink({ api = authApi, ...options }: RequestOptions = {}) {
  return useLinkRequest((body) => api.requestSignupLink.call({ body }), options)
}

interface CompleteOptions extends PasswordSetupOptions {
  /** The account is open, and this browser is signed in to it. */
  onSignedUp: (returnPath: string) => void
  api?: Pick<typeof authApi, 'confirmSignupLink' | 'completeSignup'>
}

/** The page that a signup link leads to. */
export function useCompleteSignup({ onSignedUp, api = authApi, ...given }: CompleteOptions) {
  return usePasswordSetup(given, {
    open: (token) => api.confirmSignupLink.call({ body: { token } }),
    complete: async (password, { returnPath }) => {
      await api.completeSignup.call({ body: { password } })
      onSignedUp(returnPath)
    },
    isOver: (error) =>
      error instanceof InvalidSignupLinkError || error instanceof InvalidSignupSetupSessionError,
  })
}
