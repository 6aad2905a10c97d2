import { RecentAuthenticationRequiredError, StepUpRequiredError } from './errors.ts'

/** The header in which a client sends the tokens of earlier sign-ins: one, or several separated by commas. */
export const knownBrowserHeader = 'x-svc-known-browser'

/** How an operation refuses a caller without a fresh proof. */
export const proofRefusals = [StepUpRequiredError, RecentAuthenticationRequiredError] as const
